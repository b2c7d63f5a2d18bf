"""What every page must satisfy, whatever it shows."""

# The contrast of each text with what is behind it, as WCAG defines it: 4.5 is readable, 3 where letters are large.
CONTRAST = """
const channel = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const parse = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return n.length > 3 ? n : [...n, 1]; };
const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
const behind = (e) => { const own = parse(getComputedStyle(e).backgroundColor);
  return own[3] === 1 || !e.parentElement ? (own[3] === 0 ? parse(getComputedStyle(document.body).backgroundColor) : own) : over(own, behind(e.parentElement)); };
const bad = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const e = node.parentElement;
  if (!node.textContent.trim() || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(e.tagName) || e.getClientRects().length === 0) continue;
  const style = getComputedStyle(e), drawn = e.closest("svg");
  let ground = behind(drawn ? drawn.parentElement : e);
  const box = drawn && e.parentElement.tagName === "g" && e.parentElement.querySelector("rect");
  if (box) ground = parse(getComputedStyle(box).fill);
  const ink = over(parse(drawn ? style.fill : style.color), ground);
  const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
  if (ratio < (large ? 3 : 4.5) && !e.closest(":disabled")) bad.push(`${ratio.toFixed(2)}: ${node.textContent.trim().slice(0, 40)} in ${e.tagName}.${e.className.baseVal ?? e.className}`);
}
return bad;
"""


def is_readable(browser):
    """Contrast, computed in both themes."""
    for theme in ("light", "dark"):
        browser.theme(theme)
        bad = browser.run(CONTRAST)
        assert not bad, f"too little contrast in the {theme} theme: {bad[:5]}"
    browser.theme("light")


def fits_a_phone(browser):
    """At 380 pixels nothing sticks out at the side, and buttons are in view."""
    browser.size(380, 800)
    wide = browser.run("return document.documentElement.scrollWidth")
    out = browser.run("""return [...document.querySelectorAll("button, input, h1, h2")]
        .filter((e) => e.getClientRects().length && e.getBoundingClientRect().right > 381).map((e) => e.outerHTML.slice(0, 80));""")
    assert wide <= 380 and not out, f"{wide} pixels wide at 380: {out[:5]}"
    browser.size(1280, 900)


def is_quiet(browser, *allowed):
    """The page complained of nothing, and asked only for what it may."""
    complaints = browser.complaints()
    assert not complaints, complaints
    others = [a for a in browser.asked_for() if not a.startswith(("file://", "data:", "blob:", *allowed))]
    assert not others, f"the page asked for {others}"
