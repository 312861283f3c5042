#!/usr/bin/env python3
"""Opens reports in headless Chromium and checks what a reader would do with them.

    scripts/browser_test.py --tailrank target/debug/tailrank --screenshots FOLDER

Makes three runs (the quick tour; four tasks of several families; a table by cross-validation), writes their reports and
opens them from disk. Fails on any console error or network request, if sorting, filtering, pinning or the URL hash do not
work, if a slider gives scores or ranks that differ from the command line's by more than 1e-9, or if a page takes longer than
a second to stand. One screenshot per section goes to the folder. Needs Chromium and Python's standard library.
"""

import argparse
import base64
import csv
import json
import math
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOLERANCE = 1e-9

SEVERAL = """
name = "several <b>tasks</b>"
title = "Names are data: </script><script>alert(1)</script>"
seed = 7

[data]
series = ["KO", "IBM"]

[target]
horizons = [1, 3]
lags = 8

[split]
kind = "date"
at = "1998-01-01"
leak = "paper"

[relevance]
kind = "sigmoid"
low = -0.02
high = 0.02
event_threshold = 0.5

[measures]
list = ["mad", "rmse", "precision", "recall", "f", "utility", "sera", "sera_norm", "event_mad", "hit_rate", "total_return"]
t_l = 0.01
beta = 1.0
utility = { p = 0.5 }

[compare]
pairs = [["mad", "f"], ["mad", "utility"]]
top = 5
permutations = 500

[trading]
threshold = 0.02

[[models]]
family = "baseline"
variants = [{ kind = "zero" }, { kind = "mean" }, { kind = "last" }]

[[models]]
family = "debug"
label = "<img src=x onerror=alert(2)> \\"quoted\\""
variants = [{ fault = "error" }, { fault = "none" }]

[[models]]
family = "knn"
grid = { k = [1, 3, 10] }

[[models]]
family = "cart"
grid = { cp = [0.001, 0.01] }

[[models]]
family = "linear"
"""

FOLDS = """
name = "folds"
title = "A table by cross-validation, with a piecewise cubic relevance"
seed = 3

[data]
tables = ["boston"]

[split]
kind = "kfold"
folds = 4

[relevance]
kind = "pchip"
extremes = "high"
event_threshold = 0.8

[measures]
list = ["mad", "precision", "recall", "f", "utility", "sera"]
t_l = 4.0
beta = 1.0
utility = { p = 0.5 }

[compare]
pairs = [["mad", "f"]]
top = 3
permutations = 500

[[models]]
family = "knn"
grid = { k = [1, 3, 5, 9] }

[[models]]
family = "cart"
grid = { cp = [0.001, 0.02] }

[[models]]
family = "linear"
"""


class Socket:
    """A WebSocket client that speaks as much of RFC 6455 as the DevTools protocol needs."""

    def __init__(self, url):
        parts = urllib.parse.urlparse(url)
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(4096)
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(f"no WebSocket: {head!r}")

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = b"\x81"
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 1 << 16:
            head += bytes([0x80 | 126]) + struct.pack(">H", size)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", size)
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def take(self, count):
        while len(self.buffer) < count:
            more = self.socket.recv(1 << 20)
            if not more:
                raise RuntimeError("the browser closed the connection")
            self.buffer += more
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def receive(self):
        message = b""
        while True:
            first, second = self.take(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack(">H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.take(8))[0]
            data = self.take(size)
            if first & 0x0F in (0, 1):
                message += data
                if first & 0x80:
                    return message.decode()


class Browser:
    """Headless Chromium with one page."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="browser-test-")
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--hide-scrollbars",
             "--no-first-run", "--remote-debugging-port=0", f"--user-data-dir={self.profile}", "--window-size=1400,1000", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        port_file = Path(self.profile) / "DevToolsActivePort"
        deadline = time.time() + 60
        while not (port_file.exists() and port_file.read_text().strip()):
            if time.time() > deadline or self.process.poll() is not None:
                raise RuntimeError("Chromium did not start")
            time.sleep(0.1)
        port = port_file.read_text().split()[0]
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list"))
        self.socket = Socket(next(p for p in pages if p["type"] == "page")["webSocketDebuggerUrl"])
        self.number, self.problems, self.events = 0, [], []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.number += 1
        number = self.number
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.note(message)

    def note(self, message):
        kind, data = message.get("method"), message.get("params", {})
        self.events.append(kind)
        if kind == "Runtime.exceptionThrown":
            self.problems.append(data["exceptionDetails"].get("exception", {}).get("description", str(data)))
        elif kind == "Runtime.consoleAPICalled" and data["type"] in ("error", "warning", "assert"):
            self.problems.append(" ".join(str(a.get("value", a.get("description"))) for a in data["args"]))
        elif kind == "Log.entryAdded" and data["entry"]["level"] == "error":
            self.problems.append(f"{data['entry']['text']} {data['entry'].get('url', '')}")
        elif kind == "Network.requestWillBeSent":
            url = data["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:", "about:")):
                self.problems.append(f"a request left the folder: {url}")

    def run(self, code):
        answer = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{code}: {answer['exceptionDetails'].get('exception', {}).get('description')}")
        return answer["result"].get("value")

    def wait(self, code, seconds=20):
        deadline = time.time() + seconds
        while not self.run(code):
            if time.time() > deadline:
                raise AssertionError(f"waited {seconds} s in vain for {code}")
            time.sleep(0.03)

    def open(self, url):
        self.run("window.name = 'left'")
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && !!(window.tailrank && tailrank.ready)")

    def key(self, key, code=None, text=None):
        for kind in ("keyDown", "keyUp"):
            extra = {"text": text} if text and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key,
                      windowsVirtualKeyCode={"ArrowRight": 39, "ArrowLeft": 37, "Enter": 13, "Tab": 9}.get(key, 0), **extra)

    def size(self, width, height, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def media(self, media="", dark=False):
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def still(self):
        """Waits for the figures in view and takes the bar out of their way."""
        self.run("document.querySelectorAll('.what-if, nav.top').forEach(n => { n.style.position = 'static'; })")
        self.wait("Array.from(document.querySelectorAll('.plot')).every(p => p.closest('[hidden]') || p.querySelector('.main-svg') "
                  "|| p.getBoundingClientRect().top > innerHeight || p.getBoundingClientRect().bottom < 0)")

    def shoot(self, path, selector=None):
        parameters = {"format": "png"}
        if selector:
            self.run(f"document.querySelector({json.dumps(selector)}).scrollIntoView()")
            self.call("Emulation.setScrollbarsHidden", hidden=True)
            time.sleep(0.3)
            self.still()
            time.sleep(0.5)
            box = self.run(f"(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
                           "return [b.x + scrollX, b.y + scrollY, b.width, b.height]; })()")
            parameters["clip"] = dict(zip(("x", "y", "width", "height"), box), scale=1)
            parameters["captureBeyondViewport"] = True
        Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot", **parameters)["data"]))

    def close(self):
        try:
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.profile, ignore_errors=True)


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def number(text):
    return float(text) if text not in ("", "NaN", "nan", None) else math.nan


class Run:
    """A run, its report, and its tables under other settings."""

    def __init__(self, tailrank, folder, name, text):
        self.tailrank, self.folder, self.name, self.text = tailrank, folder, name, text
        self.home = folder / name
        self.rescored = 0
        file = folder / f"{name}.toml"
        file.write_text(text)
        self.command("run", file, "--out", self.home)
        self.report = folder / f"{name}-report"
        self.command("report", self.home, "--out", self.report)

    def command(self, *arguments):
        done = subprocess.run([self.tailrank, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder)
        # 3: finished, with failed fits, which one of the experiments has on purpose.
        if done.returncode not in (0, 3):
            raise AssertionError(f"tailrank {' '.join(map(str, arguments))}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def url(self, state=""):
        return self.report.joinpath("index.html").as_uri() + state

    def tables(self, task, settings):
        """Scores and ranks of one task by `tailrank report`, with the given settings, from the same predictions."""
        flags = {"tE": "--t-e={}", "tL": "--t-l={}", "beta": "--beta={}", "low": "--low={}", "high": "--high={}", "p": "--p={}",
                 "threshold": "--set=trading.threshold={}"}
        self.rescored += 1
        out = self.folder / f"{self.name}-{self.rescored}"
        self.command("report", self.home, "--out", out, *(flags[key].format(repr(float(value))) for key, value in settings.items()))
        tables = {}
        for table in ("scores", "ranks", "comparisons"):
            with open(out / "tables" / f"{table}.csv", newline="") as source:
                tables[table] = [row for row in csv.DictReader(source) if row["task"] == task]
        shutil.rmtree(out)
        return tables


LOOK = """(() => {
  const v = tailrank.page.view, c = v.comparison;
  return { scores: v.scores, ranks: tailrank.page.table.ranks, signals: v.signals, hits: v.hits, events: v.events,
           rho: c.rho, tau: c.tau, shared: c.shared, regret: c.regret, bestA: c.bestA, bestB: c.bestB,
           a: v.a, b: v.b, settings: v.settings, ids: tailrank.run.measures.map(m => m.id), stale: v.stale };
})()"""


def near(a, b):
    return abs(a - b) <= TOLERANCE * max(1.0, abs(b))


def compare(browser, run, task, settings):
    """The page's numbers against the command line's; returns the largest difference."""
    page, tables = browser.run(LOOK), run.tables(task, settings)
    worst = 0.0

    def same(mine, theirs, what):
        nonlocal worst
        mine = math.nan if mine is None or isinstance(mine, str) else float(mine)
        theirs = number(theirs)
        if math.isnan(mine) and math.isnan(theirs):
            return
        check(near(mine, theirs), f"{run.name}, {task}, {settings}: {what}: the page has {mine!r}, the command line {theirs!r}")
        worst = max(worst, abs(mine - theirs))

    for v, (scores, ranks) in enumerate(zip(tables["scores"], tables["ranks"])):
        row = page["scores"][v]
        for m, measure in enumerate(page["ids"]):
            if page["stale"][m]:
                continue
            same(row and row[m], scores[measure], f"{measure} of {scores['variant']}")
            same(page["ranks"][m][v], ranks[measure], f"rank by {measure} of {scores['variant']}")
        for count in ("signals", "hits"):
            same(page[count][v], scores[count], f"{count} of {scores['variant']}")
        same(page["events"], scores["events"], "events")
    pair = [page["ids"][page["a"]], page["ids"][page["b"]]]
    row = next(r for r in tables["comparisons"] if [r["chosen_by"], r["judged_by"]] == pair)
    for mine, theirs in (("rho", "rho"), ("tau", "tau"), ("shared", "top_shared"), ("regret", "regret")):
        same(page[mine], row[theirs], theirs)
    for mine, theirs in (("bestA", "best_chosen"), ("bestB", "best_judged")):
        name = "" if page[mine] is None else browser.run(f"tailrank.run.variants[{page[mine]}].label")
        check(name == row[theirs], f"{theirs}: {name} against {row[theirs]}")
    return worst


def settle(browser, action):
    browser.run("tailrank.settledBefore = tailrank.settled || 0")
    action()
    browser.wait("(tailrank.settled || 0) > tailrank.settledBefore")


def sliders(browser, run, task, moves):
    """Moves every slider in turn, by its steps, and compares all numbers each time."""
    shown = browser.run("Array.from(document.querySelectorAll('.slider input[type=range]')).map(n => n.id.replace('what-if-', ''))")
    check(set(shown) == set(moves), f"sliders {shown}, expected {sorted(moves)}")
    worst = compare(browser, run, task, {})
    for key, steps in moves.items():
        selector = f"#what-if-{key}"
        settle(browser, lambda: browser.run(
            f"(() => {{ const n = document.querySelector('{selector}'); n.value = Number(n.value) + ({steps});"
            "n.dispatchEvent(new Event('input', { bubbles: true })); })()"))
        value = browser.run(f"tailrank.page.view.settings.{key}")
        check(f"{key}=" in browser.run("location.hash"), f"{key} is not in the hash")
        worst = max(worst, compare(browser, run, task, {key: value}))
        settle(browser, lambda: browser.run("document.querySelector('#reset').click()"))
        check(browser.run("!tailrank.page.view.moved"), "reset did not reset")
    # All at once, typed as exact numbers.
    values = {}
    for key, steps in moves.items():
        settle(browser, lambda: browser.run(
            f"(() => {{ const n = document.querySelector('#what-if-{key}-exact'); n.value = String(Number(n.value) * 1.037);"
            "n.dispatchEvent(new Event('change', { bubbles: true })); })()"))
        values[key] = browser.run(f"tailrank.page.view.settings.{key}")
    worst = max(worst, compare(browser, run, task, values))
    refused = browser.run("""(() => { const n = document.querySelector('#what-if-tE-exact'); n.value = '7';
        n.dispatchEvent(new Event('change', { bubbles: true })); return document.querySelector('.refused').textContent; })()""")
    check("between 0 and 1" in refused, f"t_E = 7 was not refused: {refused!r}")
    settle(browser, lambda: browser.run("document.querySelector('#reset').click()"))
    print(f"  {task}: {', '.join(moves)} moved; largest difference from the command line {worst:.1e}")


def load_time(browser, run):
    browser.open(run.url())
    browser.wait("performance.getEntriesByType('paint').length > 0 && performance.getEntriesByType('navigation')[0].loadEventEnd > 0")
    return browser.run("""(() => { const p = performance.getEntriesByType('paint').find(e => e.name === 'first-contentful-paint');
        const n = performance.getEntriesByType('navigation')[0]; return [p ? p.startTime : n.domComplete, n.domContentLoadedEventEnd, n.loadEventEnd]; })()""")


def first_screen(browser, run, folder):
    # The best of five: what the page needs, not what else the machine is doing.
    paint, ready, load = (min(times) for times in zip(*(load_time(browser, run) for _ in range(5))))
    print(f"{run.name}: first paint {paint:.0f} ms, ready {ready:.0f} ms, all loaded {load:.0f} ms (best of 5)")
    check(max(paint, ready, load) < 1000, f"the page took {max(paint, ready, load):.0f} ms")
    check(browser.run("document.querySelectorAll('table.verdicts tbody tr').length") > 0, "no verdict")
    wide = browser.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    check(wide <= 0, f"the page is {wide} px wider than the window")
    browser.shoot(folder / f"{run.name}-overview.png", "#main")


def pin_sort_filter(browser, run):
    names = "Array.from(document.querySelectorAll('#variants tbody .variant')).map(n => n.textContent)"
    value = "Array.from(document.querySelectorAll('#variants tbody tr')).map(r => r.cells[1] && r.cells[1].title)"
    # Sort by the first measure with the mouse, then the other way round with the keyboard.
    browser.run("document.querySelector('#variants [data-key=s0]').click()")
    up = [float(x) for x in browser.run(value) if re.fullmatch(r"[-\d.e]+", x or "")]
    check(up == sorted(up) and len(up) > 1, "the table is not sorted")
    browser.run("document.querySelector('#variants [data-key=s0]').focus()")
    browser.key("Enter", text="\r")
    down = [float(x) for x in browser.run(value) if re.fullmatch(r"[-\d.e]+", x or "")]
    check(down == sorted(up, reverse=True), "Enter on a heading does not turn the order round")
    check(browser.run("document.activeElement.dataset.key") == "s0", "the focus was lost by sorting")
    every = len(browser.run(names))
    # Filter by family and by text.
    family = browser.run("tailrank.run.families[0].name")
    browser.run("(() => { const s = document.querySelector('#filter-family'); s.value = '0'; s.dispatchEvent(new Event('change')); })()")
    inside = browser.run("tailrank.run.variants.filter(v => v.family === 0).length")
    check(len(browser.run(names)) == inside < every, f"the filter by {family} shows {len(browser.run(names))}")
    browser.run("(() => { const s = document.querySelector('#filter-family'); s.value = ''; s.dispatchEvent(new Event('change')); })()")
    last = browser.run("tailrank.run.variants[tailrank.run.variants.length - 1].label")
    browser.run(f"(() => {{ const s = document.querySelector('#filter-text'); s.value = {json.dumps(last)}; s.dispatchEvent(new Event('input')); }})()")
    check(last in browser.run(names) and len(browser.run(names)) < every, "the filter by text does not work")
    browser.run("(() => { const s = document.querySelector('#filter-text'); s.value = ''; s.dispatchEvent(new Event('input')); })()")
    # Pin from the table: hash, chips, figures.
    pinned = browser.run("(() => { const b = Array.from(document.querySelectorAll('#variants .pin')).filter(b => !b.disabled && tailrank.page.view.comparison.variants.includes(Number(b.dataset.variant))).pop(); b.click(); return Number(b.dataset.variant); })()")
    browser.wait("document.querySelectorAll('#pins .pinned').length === 1")
    check(f"pin={pinned}" in browser.run("location.hash"), "the pin is not in the hash")
    browser.run("document.querySelector('#fig-ranks').scrollIntoView({ block: 'center' })")  # figures out of view wait
    browser.wait("document.querySelector('#fig-ranks').data && document.querySelector('#fig-ranks').data.slice(-1)[0].variants.length === 1")
    check(browser.run("document.querySelectorAll('#variants tr.pinned').length") == 1, "the pinned row is not marked")
    # A mark in the scatter pins too, by a real click.
    browser.run("document.querySelector('#fig-ranks').scrollIntoView({ block: 'center' })")
    time.sleep(0.5)
    spot = browser.run("""(() => { const g = document.querySelector('#fig-ranks'), l = g._fullLayout, b = g.getBoundingClientRect();
        const t = g.data.find(d => d.variants && d.variants.some(v => tailrank.state.pins.indexOf(v) < 0));
        const i = t.variants.findIndex(v => tailrank.state.pins.indexOf(v) < 0);
        return [b.x + l._size.l + l.xaxis.d2p(t.x[i]), b.y + l._size.t + l.yaxis.d2p(t.y[i])]; })()""")
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        browser.call("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], button="left" if kind != "mouseMoved" else "none", clickCount=1)
        time.sleep(0.15)
    browser.wait("tailrank.state.pins.length === 2")
    hovered = browser.run("(document.querySelector('#fig-ranks .hoverlayer') || {}).textContent")
    check("rank" in (hovered or ""), f"hovering names nothing: {hovered!r}")
    # The hash alone brings the view back.
    state = browser.run("location.hash")
    browser.open(run.url())
    browser.open(run.url(state))
    browser.wait("!!(tailrank.page && tailrank.page.view)")
    check(browser.run("tailrank.state.pins.length") == 2, f"{state} does not bring the pins back")
    print(f"  sort, filter, pin, click, hover and hash work ({every} variants)")


def speed(browser):
    spent = browser.run("""(() => { const t = [], p = tailrank.page, s = tailrank.settingsOf(p.task);
        for (let i = 0; i < 9; i++) { const a = performance.now();
          p.evaluator.evaluate(Object.assign({}, s, { low: s.low === null ? null : s.low * (1 + i / 100), tE: 0.4 + i / 100 })); t.push(performance.now() - a); }
        p.evaluator.phiKey = null; p.look(); return t.sort((a, b) => a - b); })()""")
    cases = browser.run("tailrank.page.task.predictions.filter(p => p).length * tailrank.page.task.truth.length")
    print(f"  what-if: all measures of {cases:,} predictions in {spent[0]:.1f} ms (best of 9; median {spent[4]:.1f} ms)")
    return spent[0]


SECTIONS = ("measures", "errors", "relevance", "trading", "all", "files", "tables", "settings")


def shoot_sections(browser, run, folder, label=""):
    browser.run("scrollTo(0, 0)")
    time.sleep(0.3)
    browser.still()
    browser.shoot(folder / f"{run.name}-task{label}.png")
    for section in SECTIONS:
        if browser.run(f"!!document.querySelector('section[aria-labelledby={section}]') && !document.querySelector('section[aria-labelledby={section}]').hidden"):
            browser.shoot(folder / f"{run.name}-{section}{label}.png", f"section[aria-labelledby={section}]")


def open_task(browser, run, task):
    browser.open(run.url(f"#task={task}"))
    browser.wait("!!(tailrank.page && tailrank.page.view && tailrank.settled)")
    browser.wait("!!document.querySelector('#fig-ranks .main-svg')")


def other_screens(browser, run, folder):
    for label, width, dark, media in (("-phone", 390, False, ""), ("-dark", 1400, True, ""), ("-print", 1000, False, "print")):
        browser.size(width, 844 if width < 500 else 1000, mobile=width < 500)
        browser.media(media, dark)
        browser.open(run.url())
        browser.shoot(folder / f"{run.name}-overview{label}.png", "#main")
        open_task(browser, run, 1)
        wide = browser.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        check(wide <= 0 or media == "print", f"{label[1:]}: the page is {wide} px wider than the window")
        shoot_sections(browser, run, folder, label)
    browser.size(1400, 1000)
    browser.media()


def hostile(browser, run):
    browser.open(run.url())
    check(browser.run("document.title").startswith("several <b>tasks</b>"), "the title is not the name")
    check(browser.run("document.querySelectorAll('#main img[src=x], #main b').length") == 0, "a name became markup")
    check(browser.run("document.body.textContent.includes('alert(1)</script>')"), "the title is not shown as text")
    check(browser.run("document.querySelector('.stamp').textContent").startswith('leak = "paper"'), "leak = paper is not stamped")
    check("failed on demand" in browser.run("document.querySelector('section[aria-labelledby=failed]').textContent"), "the failure's reason is not shown")


def surface(browser):
    browser.run("document.querySelector('#fig-surface').scrollIntoView()")
    browser.wait("!!document.querySelector('#fig-surface .main-svg')")
    browser.run("document.querySelector('#surface-3d').click()")
    browser.wait("document.querySelector('#fig-surface').data[0].type === 'surface'")
    time.sleep(1.0)
    browser.run("document.querySelector('#surface-3d').click()")
    browser.wait("document.querySelector('#fig-surface').data[0].type === 'contour'")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tailrank", default=str(ROOT / "target" / "debug" / "tailrank"))
    parser.add_argument("--screenshots", required=True, type=Path)
    parser.add_argument("--chromium", default=next((p for p in ("chromium", "chromium-browser", "google-chrome") if shutil.which(p)), None))
    parser.add_argument("--report", type=Path, help="only open this report: load time, speed of what-if, screenshots")
    arguments = parser.parse_args()
    if arguments.chromium is None:
        sys.exit("no Chromium found; install it (apt-get install chromium) or name it by --chromium")
    arguments.screenshots.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="browser-test-runs-"))
    browser = Browser(arguments.chromium)
    try:
        browser.size(1400, 1000)
        browser.media()
        if arguments.report:
            run = Run.__new__(Run)
            run.name, run.report = "report", arguments.report.resolve()
            first_screen(browser, run, arguments.screenshots)
            open_task(browser, run, 1)
            check(speed(browser) < 50, "what-if is slower than 50 ms")
            pin_sort_filter(browser, run)
            shoot_sections(browser, run, arguments.screenshots)
            other_screens(browser, run, arguments.screenshots)
        else:
            tailrank = str(Path(arguments.tailrank).resolve())
            quick = Run(tailrank, work, "quick", (ROOT / "experiments" / "quick.toml").read_text())
            first_screen(browser, quick, arguments.screenshots)
            open_task(browser, quick, 1)
            sliders(browser, quick, "KO 3d", {"tE": 7, "tL": -4, "beta": 12, "low": 5, "high": -3, "p": 4, "threshold": -8})
            pin_sort_filter(browser, quick)
            speed(browser)
            surface(browser)
            shoot_sections(browser, quick, arguments.screenshots)
            several = Run(tailrank, work, "several", SEVERAL)
            first_screen(browser, several, arguments.screenshots)
            hostile(browser, several)
            open_task(browser, several, 4)
            sliders(browser, several, "IBM 3d", {"tE": -11, "tL": 9, "beta": -10, "low": -6, "high": 9, "p": -6, "threshold": 5})
            pin_sort_filter(browser, several)
            folds = Run(tailrank, work, "folds", FOLDS)
            first_screen(browser, folds, arguments.screenshots)
            open_task(browser, folds, 1)
            sliders(browser, folds, "boston", {"tE": -20, "tL": 9, "beta": 10, "p": 6})
            pin_sort_filter(browser, folds)
            shoot_sections(browser, folds, arguments.screenshots)
            other_screens(browser, several, arguments.screenshots)
        check(not browser.problems, "the console said:\n  " + "\n  ".join(browser.problems[:20]))
        print("all fine; screenshots in", arguments.screenshots)
    except Exception:
        for problem in browser.problems[:20]:
            print("console:", problem, file=sys.stderr)
        browser.shoot(arguments.screenshots / "failure.png")
        raise
    finally:
        browser.close()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
