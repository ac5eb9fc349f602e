import Glibc

/// Runs the probes that print all that they see. Inside, that must be what is pinned beside the probe;
/// outside, the machine itself, or the probe looks at nothing. Other probes of the family run as everywhere.
final class ViewDriver: ProbeDriver {
    let families: Set<String> = ["view"]

    private let sandbox: SandboxDriver
    private let workplace: Workplace

    init(_ sandbox: SandboxDriver, workplace: Workplace) {
        self.sandbox = sandbox
        self.workplace = workplace
    }

    /// The file that says what a probe must see; nil for one that tries a misdeed.
    private static func pinned(_ probe: Probe) throws(ProbeFailure) -> (name: String, view: View)? {
        let path = "\(probe.path.dropLast(probe.language.count + 1))\(View.suffix)"
        guard access(path, F_OK) == 0 else { return nil }
        return ("\(probe.name)\(View.suffix)", View(try Files.text(path)))
    }

    func build(_ probe: Probe) throws(ProbeFailure) -> String? { try sandbox.build(probe) }

    func prepareInside() throws(ProbeFailure) { try sandbox.prepareInside() }

    func inside(_ probe: Probe) throws(ProbeFailure) -> End {
        let run = try sandbox.runInside(probe)
        guard run.end.text.hasPrefix("prints "), let pinned = try Self.pinned(probe) else { return run.end }
        let differences = View(String(decoding: run.output, as: UTF8.self)).differences(from: pinned.view)
        return End(
            text: differences.isEmpty
                ? "prints what \(pinned.name) says"
                : "prints otherwise: \(differences.joined(separator: "; "))")
    }

    func control(_ probe: Probe) throws(ProbeFailure) -> End {
        let run = try sandbox.runOutside(probe)
        guard run.end.text.hasPrefix("prints "), try Self.pinned(probe) != nil else { return run.end }
        let view = View(String(decoding: run.output, as: UTF8.self))
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        let real = [
            "host name": String(
                decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self),
            "user": "\(getuid()) \(geteuid())", "group": "\(getgid()) \(getegid())", "parent": "\(getpid())",
            "working directory": "\(workplace.path)/\(sandbox.scratch(probe))",
            "environment": Command(arguments: []).environment.joined(separator: " "),
        ]
        for (name, value) in real where view[name] != value {
            return End(text: "prints \(name): \(view[name] ?? "nothing"), and not \(value)")
        }
        return End(text: "prints the machine itself")
    }
}
