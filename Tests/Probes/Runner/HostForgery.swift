import CProbeRunner
import Glibc

/// A probe of the family `package`: a program that forges a package, or tampers with the one that is installed.
///
/// The folder of a probe holds `home`, in which the good package is installed and allowed, and `forge.py`, the text of
/// Tests/Probes/forge.py and of the probe.
struct HostForgery {
    private let probe: Probe
    private let home: HostHome

    init(_ probe: Probe, _ home: HostHome) {
        self.probe = probe
        self.home = home
    }

    /// Puts the forger beside the home. Returns why this machine cannot run the probe, if it cannot.
    func prepare(sources: String) throws(ProbeFailure) -> String? {
        let text = try Files.bytes("\(sources)/forge.py") + [0x0A] + Files.bytes(probe.path)
        try Files.write(text + Array("\n\nmain()\n".utf8), to: "\(home.folder)/forge.py")
        guard try builds else { return nil }
        let outcome = try call("build")
        return outcome.status == .exited(0) ? nil : String(outcome.words.dropLast())
    }

    /// Whether the forger changes the home before anything is tried.
    var builds: Bool {
        get throws(ProbeFailure) { try deeds().contains("build") }
    }

    /// The functions that the forger has.
    private func deeds() throws(ProbeFailure) -> Set<Substring> {
        Set(
            try Files.text("\(home.folder)/forge.py").split(separator: "\n").compactMap {
                line -> Substring? in
                guard line.hasPrefix("def "), let end = line.firstIndex(of: "(") else { return nil }
                return line[..<end].dropFirst(4)
            })
    }

    /// How it ends: the first refusal, or what the run prints.
    func end() throws(ProbeFailure) -> End {
        let deeds = try deeds()
        if deeds.contains("prepare") { try commit("prepare") }
        if deeds.contains("forge") {
            try commit("forge")
            let before = try store()
            let outcome = try home.escrow(["plugin", "install", "\(home.folder)/probe.escrow", "--yes"])
            if outcome.status != .exited(0) {
                var faults = try HostTraces(home: home).faults(after: outcome, mayReturn: false)
                if try store() != before { faults.append("the store has changed") }
                return try end("\(outcome.end) at install", faults)
            }
        }
        if deeds.contains("tamper") { try commit("tamper") }
        if deeds.contains("during") {
            return try end(String(decoding: try commit("during").output.dropLast(), as: UTF8.self), [])
        }
        let begun = try HostTraces(home: home).runs
        let outcome = try home.run("good", .json, [])
        let isRefused = outcome.code.map { !$0.hasPrefix("E05") } ?? false
        var faults = try HostTraces(home: home).faults(
            after: outcome, mayReturn: outcome.status == .exited(0))
        if isRefused, try HostTraces(home: home).runs != begun { faults.append("a run was begun") }
        return try end(outcome.end + (outcome.status == .exited(0) ? "" : " at run"), faults)
    }

    private func end(_ text: String, _ faults: [String]) throws(ProbeFailure) -> End {
        let left = try HostTraces(home: home).faultsAtEnd()
        return End(text: ([text] + faults + left).joined(separator: "; "))
    }

    /// Calls one function of the probe.
    @discardableResult
    private func commit(_ deed: String) throws(ProbeFailure) -> HostHome.Outcome {
        let outcome = try call(deed)
        guard outcome.status == .exited(0) else { throw ProbeFailure("\(deed): \(outcome.words)") }
        return outcome
    }

    private func call(_ deed: String) throws(ProbeFailure) -> HostHome.Outcome {
        try home.start(["/usr/bin/python3", "-I", "-B", "\(home.folder)/forge.py", deed])
    }

    /// What is installed: names, sizes and times. A refused package may change none of it.
    private func store() throws(ProbeFailure) -> [String] {
        try HostTraces.files(in: "\(home.path)/plugins").filter { !$0.hasSuffix("/.lock") }.map { path in
            var status = stat()
            lstat(path, &status)
            return
                "\(path) \(status.st_size) \(status.st_ino) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
        }
    }
}
