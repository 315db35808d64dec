"""Characters that no font has are named, and those that a font has are drawn."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from errata.errors import InputWarning
from errata.report.charts.parts import FONT_FAMILY, _draw, _warn_of_missing_glyphs, save_chart
from errata.report.charts.scores import _interval_chart, _ScoredSystem


def has_glyph(character: str) -> bool:
    return _draw(character, FONT_FAMILY) != _draw("\U000effff", FONT_FAMILY)


def draw(name: str, path: Path) -> list[str]:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        save_chart(_interval_chart([_ScoredSystem(name, 0.5, 0.4, 0.6), _ScoredSystem("eager", 0.6, 0.5, 0.7)], "F0.5"), str(path))
    return [str(item.message) for item in told if issubclass(item.category, InputWarning)]


def test_latin_letters_are_drawn(tmp_path: Path) -> None:
    for ending in ("png", "pdf", "svg"):
        assert draw("système", tmp_path / f"chart.{ending}") == []


def test_a_character_without_a_font_is_named() -> None:
    rare = next((chr(code) for code in range(0x13000, 0x13100) if not has_glyph(chr(code))), None)  # Egyptian hieroglyphs
    if rare is None:
        pytest.skip("a font of this machine has all Egyptian hieroglyphs")
    with pytest.warns(InputWarning, match=f"no font of this machine has 1 character of the chart \\({rare}\\), .*fonts-noto-core"):
        _warn_of_missing_glyphs({"data": [{"name": f"a{rare}"}]}, FONT_FAMILY)


def test_of_many_characters_an_even_sample_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.report.charts.parts._MOST", 3)
    name = "".join(character for character in map(chr, range(0x13000, 0x13100)) if not has_glyph(character))[:8]
    if len(name) < 8:
        pytest.skip("a font of this machine has Egyptian hieroglyphs")
    with pytest.warns(InputWarning, match="no font of this machine has at least 3 characters of the chart"):
        _warn_of_missing_glyphs([name], FONT_FAMILY)


@pytest.mark.parametrize("ending", ["png", "pdf"])
def test_pictures_have_chinese_names_or_say_what_to_install(tmp_path: Path, ending: str) -> None:
    told = draw("系统", tmp_path / f"chart.{ending}")
    if has_glyph("系"):
        assert told == []
    else:
        assert "fonts-noto-cjk" in told[0]
    assert (tmp_path / f"chart.{ending}").stat().st_size > 1000


def test_a_chinese_font_is_used(tmp_path: Path) -> None:
    if not has_glyph("系"):
        pytest.skip("no font of this machine has Chinese characters: install Debian's fonts-wqy-microhei or fonts-noto-cjk")
    draw("系统", tmp_path / "one.png")
    draw("统系", tmp_path / "other.png")
    assert (tmp_path / "one.png").read_bytes() != (tmp_path / "other.png").read_bytes(), "boxes would be the same"


def test_svg_keeps_the_text_with_a_generic_family(tmp_path: Path) -> None:
    assert draw("系统", tmp_path / "chart.svg") == []
    text = (tmp_path / "chart.svg").read_text(encoding="utf-8")
    assert "系统" in text
    assert "sans-serif" in text
