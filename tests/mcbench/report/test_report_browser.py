"""The report as a reader sees it: in a browser, from disk."""

import os
import shutil

import pytest
from reported import BREAKOUT, KKT, NASTY

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        # As root, which containers often are, chromium has no sandbox.
        sandbox = [] if os.geteuid() else ["--no-sandbox"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=sandbox)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser, site):
    """Open a page; at the end there were no errors and no requests but for files."""
    said, asked, contexts = [], [], []

    def start(name, width=1280, **options):
        context = browser.new_context(viewport={"width": width, "height": 800}, **options)
        contexts.append(context)
        context.set_default_timeout(10_000)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: (said.append("a dialog"), dialog.dismiss()))
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / name).as_uri())
        return page

    yield start
    for context in contexts:
        context.close()
    assert not said
    assert all(url.startswith(("file:", "data:")) for url in asked)


def visible(page):
    return page.locator("table.claims tbody tr:visible td:first-child a").all_inner_texts()


def test_the_filters_of_the_index(open_page):
    page = open_page("index.html")
    everything = ["p1-faster", "p1-slower", "p1-other", "p2-any"]
    assert visible(page) == everything
    page.get_by_label("Verdict").select_option("not testable")
    assert visible(page) == ["p1-other", "p2-any"]
    page.get_by_label("Profile").select_option("smoke")
    assert visible(page) == ["p2-any"]
    assert page.locator("#shown").inner_text() == "1 of 4 claims"
    page.get_by_label("Search").fill("nothing is called so")
    assert visible(page) == []
    assert page.get_by_text("No claim is so.").is_visible()
    page.get_by_role("button", name="Show all").click()
    page.wait_for_function("document.getElementById('shown').value === '4 of 4 claims'")
    page.get_by_label("Search").fill("FASTER alert(1)")
    assert visible(page) == ["p1-faster"]
    page.get_by_label("Search").fill("")
    page.get_by_label("Paper", exact=True).select_option("p2")
    assert visible(page) == ["p2-any"]
    page.reload()  # what was chosen stands in the address
    assert visible(page) == ["p2-any"]
    page.locator(".tally.large a", has_text="differs").click()
    page.wait_for_function("document.getElementById('shown').value === '1 of 4 claims'")
    assert visible(page) == ["p1-slower"]


def test_names_that_are_scripts_show_as_text(open_page):
    page = open_page("papers/p1.html")
    assert page.get_by_role("heading", level=1).inner_text() == f"On {NASTY}"
    assert page.get_by_text(BREAKOUT).first.is_visible()
    assert page.locator("main img").count() == 1
    assert page.get_by_label("Data").locator("option").first.inner_text().startswith(NASTY)
    page = open_page(f"runs/{KKT}.html")
    assert page.get_by_text(BREAKOUT).first.is_visible()


def label(page, axis):
    return page.locator(f".plot .label-{axis}").text_content()


def curves(page):
    return page.locator(".plot .curve")


def test_the_curves_answer_to_the_axes_and_the_legend(open_page):
    page = open_page("papers/p1.html")
    assert (label(page, "x"), label(page, "y")) == ("seconds", "relative duality gap")
    assert curves(page).count() == 3
    before = curves(page).first.get_attribute("d")
    page.get_by_label("Horizontal", exact=True).select_option("kernel rows computed")
    page.get_by_label("Vertical", exact=True).select_option("dual objective")
    assert (label(page, "x"), label(page, "y")) == ("kernel rows computed", "dual objective")
    assert page.get_by_label("log horizontal").is_checked()
    assert not page.get_by_label("log vertical").is_checked()
    after = curves(page).first.get_attribute("d")
    assert after != before
    page.get_by_label("log horizontal").uncheck()
    assert curves(page).first.get_attribute("d") != after
    # One button hides both seeds of a curve.
    button = page.get_by_role("button", name="kkt (2 runs)")
    button.click()
    assert button.get_attribute("aria-pressed") == "false"
    assert curves(page).count() == 1
    button.press("Enter")
    assert curves(page).count() == 3
    page.get_by_label("Data").select_option(index=1)
    assert curves(page).count() == 1


def test_all_curves_off_is_said(open_page):
    page = open_page("papers/p1.html")
    for button in page.locator(".legend button").all():
        button.click()
    assert curves(page).count() == 0
    assert "No curve is chosen." in page.locator(".plot svg").text_content()


def test_pointing_at_a_curve_tells_its_values_and_keys_go_along_it(open_page):
    page = open_page("papers/p1.html")
    plot, tip = page.locator(".plot svg"), page.locator(".tip")
    plot.scroll_into_view_if_needed()
    assert tip.is_hidden()
    box = plot.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 14)
    page.wait_for_function("!document.querySelector('.tip').hidden")
    assert "relative duality gap: " in tip.inner_text()
    assert "seconds: " in tip.inner_text()
    page.mouse.move(0, 0)
    plot.focus()
    page.keyboard.press("ArrowRight")
    first = tip.inner_text()
    assert "relative duality gap: 1" in first
    page.keyboard.press("ArrowRight")
    assert tip.inner_text() != first
    page.keyboard.press("ArrowDown")
    assert "seed 1" in tip.inner_text() or "kkt" in tip.inner_text()
    page.keyboard.press("Escape")
    assert tip.is_hidden()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/*.html")
    assert page.get_by_role("heading", level=1).is_visible()


def test_a_finger_tells_a_point_first_and_opens_its_run_then(open_page):
    page = open_page("papers/p1.html", width=390, has_touch=True)
    plot = page.locator(".plot svg")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    place = (box["x"] + box["width"] / 2, box["y"] + 20)
    page.touchscreen.tap(*place)
    page.wait_for_function("!document.querySelector('.tip').hidden")
    assert "relative duality gap: " in page.locator(".tip").inner_text()
    page.touchscreen.tap(*place)
    page.wait_for_url("**/runs/*.html")


@pytest.mark.parametrize("name", ["index.html", "papers/p1.html", f"runs/{KKT}.html"])
def test_a_phone_scrolls_in_one_direction_only(open_page, name):
    page = open_page(name, width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 320, "height": 600})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_text_has_enough_contrast_on_light_and_dark(open_page):
    measure = """() => {
      const lightness = (text) => {
        const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map((value) => {
          const part = value / 255;
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = (element) => {
        const colour = getComputedStyle(element).backgroundColor;
        return /, 0\\)$/.test(colour) ? ground(element.parentElement) : colour;
      };
      return [...document.querySelectorAll("main *, header *")]
        .filter((element) => element.checkVisibility() && element.closest("svg") === null)
        .filter((element) => [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
        .map((element) => {
          const [a, b] = [getComputedStyle(element).color, ground(element)].map(lightness);
          const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          return [ratio, element.outerHTML.slice(0, 80)];
        })
        .sort((one, other) => one[0] - other[0])[0];
    }"""
    for scheme in ("light", "dark"):
        for name in ("index.html", "papers/p1.html"):
            page = open_page(name, color_scheme=scheme)
            ratio, element = page.evaluate(measure)
            assert ratio >= 4.5, f"{scheme}, {element}: {ratio:.2f}"
