import EscrowFiles

/// The canary seen from outside, through /proc, while it waits.
///
/// A step of the launcher that reported success may not have worked: under somebody else's filter `setresuid` and `capset`
/// may only pretend. So the walls are checked from outside before the first plugin, as far as /proc shows them.
struct Inspection {
    private let directory: String
    private let status: [Substring: Substring]
    private let sandbox: Sandbox

    /// nil when the process cannot be found in /proc.
    init?(_ process: SandboxedProcess, _ sandbox: Sandbox) {
        guard let directory = process.procDirectory, let text = readSmallFile(directory + "/status") else {
            return nil
        }
        self.directory = directory
        self.sandbox = sandbox
        var status: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            status[line[..<colon]] = line[line.index(after: colon)...].drop { $0 == "\t" || $0 == " " }
        }
        self.status = status
    }

    /// The first wall that is not lowered and does not hold, and what was seen.
    func firstFlaw() -> (wall: Wall, reason: String)? {
        for wall in Wall.allCases where !sandbox.configuration.loweredWalls.contains(wall) {
            if let reason = flaw(in: wall) {
                return (wall, "a test program was run in the sandbox, and \(reason)")
            }
        }
        return nil
    }

    private func flaw(in wall: Wall) -> String? {
        switch wall {
        case .userNamespace: sharesNamespace("user")
        case .networkNamespace: sharesNamespace("net")
        case .processNamespace: sharesNamespace("pid")
        case .ipcNamespace: sharesNamespace("ipc")
        case .hostnameNamespace: sharesNamespace("uts")
        case .mountNamespace: sharesNamespace("mnt") ?? seesFiles()
        case .seccomp: status["Seccomp"].flatMap { $0 == "2" ? nil : "it had no filter" }
        case .noNewPrivileges: status["NoNewPrivs"].flatMap { $0 == "1" ? nil : "it could gain privileges" }
        case .capabilities: holdsCapabilities()
        case .descriptors: hasDescriptors()
        case .resourceLimits: lacksLimits()
        case .unprivilegedUser: isRoot()
        case .landlock, .sealedProgram, .controlGroup: nil
        }
    }

    private func sharesNamespace(_ kind: String) -> String? {
        guard let theirs = linkTarget("\(directory)/ns/\(kind)"),
            let ours = linkTarget("/proc/self/ns/\(kind)")
        else { return nil }
        return theirs == ours ? "it was in the host's own \(kind) namespace" : nil
    }

    /// One mount, its root, read-only and empty.
    private func seesFiles() -> String? {
        guard let mounts = readSmallFile(directory + "/mountinfo") else { return nil }
        let lines = mounts.split(separator: "\n")
        guard lines.count == 1, let fields = lines.first?.split(separator: " "), fields.count > 5,
            fields[4] == "/", fields[5].split(separator: ",").contains("ro")
        else { return "its root was not one read-only mount" }
        return nil
    }

    private func holdsCapabilities() -> String? {
        for name: Substring in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
            if let value = status[name], value.contains(where: { $0 != "0" }) {
                return "it held capabilities"
            }
        }
        return nil
    }

    private func hasDescriptors() -> String? {
        guard let numbers = try? Folder.names(directory + "/fd") else { return nil }
        return numbers == ["0", "1", "2"] ? nil : "it had \(numbers.count) descriptors instead of 3"
    }

    /// The limits that are the same in every run: no file can grow, no memory is locked, one process. The host's own
    /// may be lower still.
    private func lacksLimits() -> String? {
        guard let text = readSmallFile(directory + "/limits") else { return nil }
        let expected = [
            "Max core file size": 1, "Max file size": 0, "Max locked memory": 0, "Max processes": 1,
            "Max open files": 16, "Max address space": 16 << 20, "Max cpu time": 2,
        ]
        var seen = 0
        for line in text.split(separator: "\n") {
            guard let (name, value) = expected.first(where: { line.hasPrefix($0.key) }) else { continue }
            seen += 1
            let hard = line.dropFirst(name.count).split(separator: " ").dropFirst().first
            guard let most = hard.flatMap({ Int($0) }), most <= value else {
                return "\(name.dropFirst(4)) was not limited"
            }
        }
        return seen == expected.count ? nil : "not all of its limits could be read"
    }

    /// The kernel's ids, as this host's /proc tells them.
    private func isRoot() -> String? {
        let expected = sandbox.machine.identity
        for name: Substring in ["Uid", "Gid"] {
            guard let value = status[name] else { continue }
            let ids = value.split(separator: "\t").compactMap { UInt32($0) }
            if ids.contains(where: { $0 == 0 }), expected.isForeign { return "it ran as root" }
        }
        return nil
    }
}
