/** Sentences whose tokens are characters are shown without spaces between them; data keep the spaces. */

const UNSPACED =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2e80-\\u30ff\\u3100-\\u312f\\u31a0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff00-\\uffef\\u{1b000}-\\u{1b16f}\\u{20000}-\\u{3ffff}";
const SPACE = new RegExp(`(?<=[${UNSPACED}]) | (?=[${UNSPACED}])`, "gu");

/** Remove spaces beside characters of scripts without spaces from the texts of a sentence. */
export function joinCharacters(card: HTMLElement): void {
  for (const shown of card.querySelectorAll("[dir]")) {
    const texts = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
    while (texts.nextNode() !== null) {
      const node = texts.currentNode;
      node.textContent = (node.textContent ?? "").replace(SPACE, "");
    }
  }
}
