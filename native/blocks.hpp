// The blocks of a sentence: consecutive sites whose variants can be chosen independently of the others.
//
// Where all beginnings of references are in one class, the rest does not depend on them.  So the sentence falls into blocks, whose
// counts are summed.
#pragma once

#include <map>
#include <tuple>

#include "mixtures.hpp"

namespace errata {

// Distinct counts of a block, and the first choice of variants that has them.
struct BlockRow {
    std::vector<std::uint32_t> choice;
    ColumnCounts counts;
};

// Sites from `first` to before `last`.
struct Block {
    std::size_t first, last;
    std::vector<BlockRow> rows;
};

// Lists the blocks of a sentence, with the counts of its baseline if it was realigned.  Returns nothing if a block has more than
// `limits.choices` rows, or if they take too many additions.
class BlockList {
public:
    BlockList(const Mixtures& system, const Mixtures* baseline, const BlocksLimits& limits)
        : system_(&system), baseline_(baseline), limits_(limits) {}

    // The work so far, in cells.
    std::size_t work() const { return work_; }

    std::vector<Block> list() {
        std::vector<Block> blocks;
        const std::size_t sites = system_->steps.size();
        std::size_t first = 0;
        do {
            std::size_t last = std::min(first + 1, sites);
            while (last < sites && (system_->steps[last].size() > 1 || (baseline_ != nullptr && baseline_->steps[last].size() > 1))) ++last;
            blocks.push_back({first, last, {}});
            if (!fill(blocks.back())) return {};
            first = last;
        } while (first < sites);
        return blocks;
    }

private:
    static constexpr std::size_t cells_for_addition = 16, cells_for_row = 64, cells_for_choice = 8;  // how many visited cells they count like

    // The first beginning of a block with some classes and counts: that with one site less, and the variant of the last site.
    struct Entry {
        std::size_t before, variant;
    };

    // Classes of system and baseline, and counts.
    struct State {
        std::size_t system, baseline;
        ColumnCounts counts;

        bool operator<(const State& other) const {
            return std::tie(system, baseline, counts) < std::tie(other.system, other.baseline, other.counts);
        }
    };

    // Beginnings are listed in the order of their choices, so the first is found first.
    bool fill(Block& block) {
        std::vector<std::vector<Entry>> entries;
        std::vector<State> states{{0, 0, {}}};
        if (block.first == 0) add(states[0].counts, system_->counts, baseline_ == nullptr ? nullptr : &baseline_->counts);
        for (std::size_t site = block.first; site < block.last; ++site) {
            std::map<State, std::size_t> found;
            std::vector<State> following;
            std::vector<Entry>& own = entries.emplace_back();
            for (std::size_t before = 0; before < states.size(); ++before) {
                const std::vector<Step>& steps = system_->steps[site][states[before].system];
                if (!use(cells_for_addition * steps.size())) return false;
                for (std::size_t variant = 0; variant < steps.size(); ++variant) {
                    const Step* const baseline = baseline_ == nullptr ? nullptr : &baseline_->steps[site][states[before].baseline][variant];
                    State next{steps[variant].to, baseline == nullptr ? 0 : baseline->to, states[before].counts};
                    add(next.counts, steps[variant].counts, baseline == nullptr ? nullptr : &baseline->counts);
                    if (!found.try_emplace(next, following.size()).second) continue;
                    following.push_back(next);
                    own.push_back({before, variant});
                    if (following.size() > limits_.choices) return false;
                }
            }
            if (!use(cells_for_row * following.size())) return false;
            states = std::move(following);
        }
        if (!use(cells_for_choice * states.size() * entries.size())) return false;
        for (std::size_t number = 0; number < states.size(); ++number) {
            BlockRow& row = block.rows.emplace_back();
            row.counts = states[number].counts;
            row.choice.resize(entries.size());
            std::size_t at = number;
            for (std::size_t k = entries.size(); k-- > 0;) {
                row.choice[k] = static_cast<std::uint32_t>(entries[k][at].variant);
                at = entries[k][at].before;
            }
        }
        return true;
    }

    // Counts work, or returns false if it is too much.
    bool use(std::size_t cells) {
        work_ += cells;
        report_work(cells);
        return work_ <= limits_.beginnings;
    }

    // Adds the counts of the baseline in the place of those of the unchanged source.
    static void add(ColumnCounts& sum, const ColumnCounts& system, const ColumnCounts* baseline) {
        for (std::size_t k = 0; k < per_system; ++k) {
            sum[k] += system[k];
            sum[per_system + k] += baseline == nullptr ? system[per_system + k] : (*baseline)[k];
        }
    }

    const Mixtures *system_, *baseline_;
    BlocksLimits limits_;
    std::size_t work_ = 0;
};

}  // namespace errata
