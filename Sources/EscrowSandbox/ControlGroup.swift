import Glibc

/// Where control groups can be made on this machine, if anywhere. They count memory in use exactly, and threads;
/// without them the resource limits hold alone.
struct ControlGroups: Sendable, Equatable {
    /// Which of the kernel's two interfaces.
    enum Version: String, Sendable {
        case v1
        case v2
    }
    let version: Version
    /// Directories to make groups in: one for v2, up to two (memory, pids) for v1.
    let parents: [String]

    /// Finds a place and proves it by making a group there and removing it.
    static func find() -> ControlGroups? {
        guard let mounts = readSmallFile("/proc/self/mountinfo"), let own = readSmallFile("/proc/self/cgroup")
        else { return nil }
        return [findV2(mounts, own), findV1(mounts, own)].lazy.compactMap { $0 }.first { groups in
            groups.parents.forEach(sweep)
            guard let group = ControlGroup(groups, limits: .standard) else { return false }
            _ = group.finish()
            return true
        }
    }

    /// Removes the groups of hosts that were killed. A group with a process in it cannot be removed.
    private static func sweep(_ parent: String) {
        guard let directory = opendir(parent) else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let parts = name.split(separator: "-")
            guard parts.count == 3, parts[0] == "escrow", let pid = Int32(parts[1]), pid > 0 else { continue }
            if kill(pid, 0) != 0, errno == ESRCH { rmdir("\(parent)/\(name)") }
        }
    }

    /// v2 keeps processes in leaves only, so the new group is a sibling of our own, below a parent that hands on
    /// the memory controller; systemd delegates such a parent to each user.
    private static func findV2(_ mounts: String, _ own: String) -> ControlGroups? {
        guard let mount = mountPoint(mounts, type: "cgroup2", option: nil),
            let path = own.split(separator: "\n").first(where: { $0.hasPrefix("0::/") })?.dropFirst(3),
            path != "/", let slash = path.lastIndex(of: "/")
        else { return nil }
        let parent = mount + path[..<slash]
        let controllers =
            readSmallFile(parent + "/cgroup.subtree_control")?.split { $0 == " " || $0 == "\n" } ?? []
        return controllers.contains("memory") ? ControlGroups(version: .v2, parents: [parent]) : nil
    }

    private static func findV1(_ mounts: String, _ own: String) -> ControlGroups? {
        let parents = ["memory", "pids"].compactMap { controller -> String? in
            guard let mount = mountPoint(mounts, type: "cgroup", option: controller) else { return nil }
            for line in own.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
                if parts.count == 3, parts[1].split(separator: ",").contains(Substring(controller)) {
                    return parts[2] == "/" ? mount : mount + parts[2]
                }
            }
            return nil
        }
        guard let first = parents.first, readSmallFile(first + "/memory.limit_in_bytes") != nil else {
            return nil
        }
        return ControlGroups(version: .v1, parents: parents)
    }

    /// A line of mountinfo: fields, " - ", type, source, options.
    private static func mountPoint(_ mounts: String, type: String, option: String?) -> String? {
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), fields.count > dash + 3, fields.count > 4,
                fields[dash + 1] == type
            else { continue }
            let options = fields[dash + 3].split(separator: ",")
            if option.map({ options.contains(Substring($0)) }) ?? true { return String(fields[4]) }
        }
        return nil
    }
}

/// The control group of one run, removed at its end.
final class ControlGroup: @unchecked Sendable {
    /// What the kernel counted.
    struct Count: Sendable {
        var outOfMemory = false
        var outOfProcesses = false
        /// The most memory in use at once, in KiB; 0 where the kernel does not tell (v2 before Linux 5.19).
        var peakKiB = 0
    }

    private let version: ControlGroups.Version
    private let directories: [String]
    private static let counter = Monitor<UInt32>(0)

    /// nil when a group cannot be made with its limits in force.
    init?(_ groups: ControlGroups, limits: SandboxLimits) {
        let number = Self.counter.withLock { counter in
            counter &+= 1
            return counter
        }
        version = groups.version
        directories = groups.parents.map { "\($0)/escrow-\(getpid())-\(number)" }
        for directory in directories where mkdir(directory, 0o755) != 0 {
            _ = finish()
            return nil
        }
        let bytes = "\(limits.memoryMiB << 20)"
        // The kernel's own threads of a run do not count; one more than the plugin's leaves room for none.
        let settings: [(Int, String, String, needed: Bool)] =
            version == .v2
            ? [
                (0, "memory.max", bytes, true), (0, "memory.swap.max", "0", false),
                (0, "pids.max", "\(limits.processes)", false),
            ]
            : [
                (0, "memory.limit_in_bytes", bytes, true), (0, "memory.memsw.limit_in_bytes", bytes, false),
                (1, "pids.max", "\(limits.processes)", false),
            ]
        for (index, file, value, needed) in settings where index < directories.count {
            if writeSmallFile("\(directories[index])/\(file)", value) != 0, needed {
                _ = finish()
                return nil
            }
        }
    }

    /// Puts a process in. Returns an errno.
    func add(pid: String) -> Int32 {
        for directory in directories {
            let error = writeSmallFile("\(directory)/cgroup.procs", pid)
            if error != 0 { return error }
        }
        return 0
    }

    /// Reads what was counted and removes the group; the processes in it are dead.
    func finish() -> Count {
        var count = Count()
        let memory = directories.first ?? ""
        let events = version == .v2 ? "memory.events" : "memory.oom_control"
        count.outOfMemory = number(after: "oom_kill ", in: "\(memory)/\(events)") > 0
        if let pids = version == .v2 ? directories.first : directories.dropFirst().first {
            count.outOfProcesses = number(after: "max ", in: "\(pids)/pids.events") > 0
        }
        let peak = version == .v2 ? "memory.peak" : "memory.max_usage_in_bytes"
        count.peakKiB =
            readSmallFile("\(memory)/\(peak)").flatMap { Int($0.filter(\.isNumber)) }.map { $0 >> 10 } ?? 0
        for directory in directories { rmdir(directory) }
        return count
    }

    private func number(after key: String, in path: String) -> Int {
        for line in readSmallFile(path)?.split(separator: "\n") ?? [] where line.hasPrefix(key) {
            return Int(line.dropFirst(key.count)) ?? 0
        }
        return 0
    }
}
