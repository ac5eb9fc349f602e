"""Pages of figures: Markdown with the command, the machine and the spread, and plots beside it."""

import os
import platform
import re
import statistics
import sys
import time


def spread(values, places=None):
    """Median, and in brackets the lowest and highest tenth; of fewer than three values the values."""
    if not values:
        return "-"
    if len(values) < 3:
        return ", ".join(number(value, places) for value in values)
    tenths = statistics.quantiles(values, n=10, method="inclusive")
    return f"{number(statistics.median(values), places)} ({number(tenths[0], places)}–{number(tenths[8], places)})"


def number(value, places=None):
    """Three digits that count, or so many decimals."""
    if places is None:
        places = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{places}f}"


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def machine():
    """One sentence about where this was measured, and what else went on."""
    model = re.search(r"^model name\s*:\s*(.+)$", read("/proc/cpuinfo"), re.M)
    memory = re.search(r"^MemTotal:\s*(\d+)", read("/proc/meminfo"), re.M)
    system = re.search(r'^PRETTY_NAME="(.+)"$', read("/etc/os-release"), re.M)
    hypervisor = " in a virtual machine" if re.search(r"^flags\s*:.*\bhypervisor\b", read("/proc/cpuinfo"), re.M) else ""
    disk = filesystem(os.environ.get("TMPDIR", "/tmp"))
    return (f"{os.cpu_count()} processors ({model[1] if model else platform.machine()}){hypervisor}, "
            f"{int(memory[1]) / 2**20 if memory else 0:.0f} GiB of memory, {system[1] if system else platform.system()}, "
            f"Linux {platform.release()}, files on {disk}")


def filesystem(path):
    """The type of the file system that a path lies on."""
    best = ("", "?")
    for line in read("/proc/self/mounts").splitlines():
        _, point, kind = line.split()[:3]
        if os.path.realpath(path).startswith(point) and len(point) >= len(best[0]):
            best = (point, kind)
    return best[1]


class Page:
    """A page that grows while it is measured; it is written as a whole at the end, so that a run that fails leaves the
    page of the run before."""

    def __init__(self, name, title, folder):
        self.name, self.folder, self.load = name, folder, os.getloadavg()[0]
        words = os.environ.get("BENCH_COMMAND", f"scripts/bench {name}")
        self.parts = [f"# {title}", f"`{words}`, {time.strftime('%Y-%m-%d')}. {machine()}."]
        print(self.parts[0] + "\n\n" + self.parts[1], flush=True)

    def text(self, *paragraphs):
        for paragraph in paragraphs:
            self.parts.append(paragraph)
            print("\n" + paragraph, flush=True)

    def table(self, head, rows):
        self.text("\n".join(["| " + " | ".join(head) + " |", "|" + "|".join(["---"] + ["--:"] * (len(head) - 1)) + "|"]
                            + ["| " + " | ".join(row) + " |" for row in rows]))

    def figure(self, figure, alt, suffix=""):
        """Saves a plot beside the page."""
        name = self.name + suffix + ".svg"
        os.makedirs(self.folder, exist_ok=True)
        figure.tight_layout()
        figure.savefig(os.path.join(self.folder, name), metadata={"Date": None})
        self.text(f"![{alt}]({name})")

    def write(self):
        """Writes the page; the load tells whether something else used the machine."""
        self.parts.append(f"The machine's load was {self.load:.1f} before and {os.getloadavg()[0]:.1f} after, "
                          "these measurements among it.")
        os.makedirs(self.folder, exist_ok=True)
        path = os.path.join(self.folder, self.name + ".md")
        with open(path + ".new", "w") as out:
            out.write("\n\n".join(self.parts) + "\n")
        os.replace(path + ".new", path)
        print(f"\nwritten: {path}", file=sys.stderr)


def plotting():
    """matplotlib, drawing the same bytes for the same figures; None where it is missing."""
    try:
        import matplotlib
    except ImportError:
        print("SKIP: no plots, matplotlib is missing; scripts/packages bench installs it", file=sys.stderr)
        return None
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "escrow"
    from matplotlib import pyplot
    return pyplot


def options(parser, rounds):
    """The options that all parts share, read."""
    parser.add_argument("--rounds", type=int, help=f"rounds of each case (default: {rounds}; with --quick 3)")
    parser.add_argument("--quick", action="store_true", help="small sizes and few rounds: to see that it works")
    parser.add_argument("--pages", metavar="FOLDER", help="where the page goes (with --quick: .build/benchmarks)")
    words = parser.parse_args()
    words.rounds = words.rounds or (3 if words.quick else rounds)
    words.pages = words.pages or (".build/benchmarks" if words.quick else "docs/benchmarks")
    return words
