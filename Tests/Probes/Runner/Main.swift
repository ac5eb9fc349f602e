import CProbeRunner
import Glibc

/// `probes [--in FOLDER] [--as USER]... [NAME...]`: commits every misdeed outside and inside the sandbox, and
/// prints how each ended. `probes --view` shows a person what a plugin can see of this machine.
@main enum Main {
    static func main() {
        do {
            let status = try run(Array(CommandLine.arguments.dropFirst()))
            Interruption.letItEnd()
            exit(status)
        } catch {
            Interruption.letItEnd()
            let words = Array("probes: \(error)\n".utf8)
            _ = write(2, words, words.count)
            exit(64)
        }
    }

    private static func run(_ arguments: [String]) throws(ProbeFailure) -> Int32 {
        var names: [String] = []
        var accounts: [Account] = []
        var sources = Self.sources
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--as":
                guard let name = rest.popFirst() else { throw ProbeFailure("--as: name a user") }
                accounts.append(try Account(named: name))
                guard geteuid() == 0 || geteuid() == accounts.last?.user else {
                    throw ProbeFailure("only root can run them as \(name)")
                }
            case "--in":
                guard let folder = rest.popFirst() else { throw ProbeFailure("--in: name a folder") }
                sources = folder
            case "--view": return try View.show(Self.sources)
            case _ where argument.hasPrefix("-"):
                throw ProbeFailure(
                    "usage: probes [--in FOLDER] [--as USER]... [FAMILY | NAME | FAMILY/NAME]... | --view")
            default: names.append(argument)
            }
        }
        let workplace = try Workplace()
        defer { workplace.remove() }
        Interruption.watch(removing: workplace)
        let error = probe_leave_no_cores()
        guard error == 0 else { throw ProbeFailure("core files cannot be switched off: errno \(error)") }
        let sandbox = SandboxDriver(workplace: workplace, sources: sources)
        let drivers: [any ProbeDriver] = [
            ViewDriver(sandbox, workplace: workplace), HostDriver(workplace: workplace, sources: sources),
            sandbox,
        ]
        let probes = try find(in: sources, names)
        let passes = try ProbeRun(probes, drivers: drivers).run(as: accounts, in: workplace)
        var status: Int32 = 0
        for (index, rows) in passes.enumerated() {
            if passes.count > 1 { print("\(index == 0 ? "" : "\n")as \(accounts[index].name)") }
            status = max(status, Report(rows).write())
        }
        return status
    }

    /// The probes by those names; all of them when none is named.
    private static func find(in sources: String, _ names: [String]) throws(ProbeFailure) -> [Probe] {
        var probes: [Probe] = []
        for family in try Files.names(in: sources) where family != "Runner" {
            let folder = "\(sources)/\(family)"
            guard Files.isFolder(folder) else { continue }
            for file in try Files.names(in: folder) where !file.hasSuffix(View.suffix) {
                probes.append(try Probe(family: family, file: file, in: folder))
            }
        }
        for name in names where !probes.contains(where: { [$0.family, $0.name, $0.title].contains(name) }) {
            throw ProbeFailure("there is no probe `\(name)`")
        }
        let chosen = probes.filter { probe in
            names.isEmpty || names.contains { [probe.family, probe.name, probe.title].contains($0) }
        }
        guard !chosen.isEmpty else { throw ProbeFailure("\(sources) holds no probe") }
        return chosen
    }

    /// Tests/Probes, where this source came from.
    static let sources: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(2)
        return parts.joined(separator: "/")
    }()
}
