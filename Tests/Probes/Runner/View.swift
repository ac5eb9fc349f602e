import Glibc

/// What a plugin sees of the machine: `name: value` lines.
struct View: Sendable {
    /// What it begins with in a pinned view when a value is the machine's own.
    static let varies = "(varies)"
    /// The ending of a pinned view, which lies beside its probe.
    static let suffix = ".seen"

    /// In the order in which they were printed.
    let lines: [(name: String, value: String)]

    init(_ text: String) {
        lines = text.split(separator: "\n").map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count == 2 ? ProbeHeader.trim(parts[1]) : "")
        }
    }

    subscript(name: String) -> String? { lines.first { $0.name == name }?.value }

    /// Where this differs from a pinned view: every name, in order, and every value that does not vary.
    func differences(from pinned: View) -> [String] {
        var differences: [String] = []
        for name in pinned.lines.map(\.name) where self[name] == nil {
            differences.append("\(name) is missing")
        }
        for (name, value) in lines {
            guard let expected = pinned[name] else {
                differences.append("\(name) is new: \(value)")
                continue
            }
            if expected.hasPrefix(Self.varies) ? value.isEmpty : value != expected {
                differences.append("\(name) is \(value), and not \(expected)")
            }
        }
        return differences
    }

    /// Prints for a person what a program sees of this machine outside, and as a plugin of each profile.
    static func show(_ sources: String) throws(ProbeFailure) -> Int32 {
        let workplace = try Workplace()
        defer { workplace.remove() }
        let driver = SandboxDriver(workplace: workplace, sources: sources)
        try driver.prepareInside()
        var names: [String] = []
        var seen: [(place: String, view: View)] = []
        for file in ["machine.c", "python-machine.py"] {
            let probe = try Probe(family: "view", file: file, in: "\(sources)/view")
            if let reason = try driver.build(probe) { throw ProbeFailure("\(probe.title): \(reason)") }
            for (place, output) in [
                ("outside", try driver.runOutside(probe).output),
                (probe.header.profile.rawValue, try driver.runInside(probe).output),
            ] {
                let view = View(String(decoding: output, as: UTF8.self))
                seen.append((place, view))
                names += view.lines.map(\.name).filter { !names.contains($0) }
            }
        }
        for name in names {
            print(name)
            var isShown = false
            for (place, view) in seen where !(place == "outside" && isShown) {
                guard let value = view[name] else { continue }
                if place == "outside" { isShown = true }
                print("    \(place)\(String(repeating: " ", count: 9 - place.count))\(value)")
            }
        }
        return 0
    }
}
