import Glibc

/// Where control groups (v2) can be made on this machine, if anywhere. They count memory in use exactly, and threads;
/// without them the resource limits hold alone.
///
/// Version 1 is left alone on purpose: moving a process into one of its groups waits for the kernel's grace periods,
/// which took 5 to 15 ms of each run where it was measured, more than all walls together.
struct ControlGroups: Sendable, Equatable {
    /// The directory to make groups in.
    let parent: String

    /// Finds a place and proves it by making a group there and removing it.
    ///
    /// v2 keeps processes in leaves only, so the new group is a sibling of our own, below a parent that hands on the
    /// memory controller; systemd delegates such a parent to each user.
    static func find() -> ControlGroups? {
        guard let mounts = readSmallFile("/proc/self/mountinfo"),
            let own = readSmallFile("/proc/self/cgroup"),
            let mount = mountPoint(mounts),
            let path = own.split(separator: "\n").first(where: { $0.hasPrefix("0::/") })?.dropFirst(3),
            path != "/", let slash = path.lastIndex(of: "/")
        else { return nil }
        let parent = mount + path[..<slash]
        let controllers =
            readSmallFile(parent + "/cgroup.subtree_control")?.split { $0 == " " || $0 == "\n" } ?? []
        guard controllers.contains("memory") else { return nil }
        sweep(parent)
        let groups = ControlGroups(parent: parent)
        guard let group = ControlGroup(groups, limits: .standard) else { return nil }
        _ = group.finish()
        return groups
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

    /// Where the hierarchy is mounted. A line of mountinfo: fields, " - ", type, source, options.
    private static func mountPoint(_ mounts: String) -> String? {
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), fields.count > dash + 1, fields.count > 4,
                fields[dash + 1] == "cgroup2"
            else { continue }
            return String(fields[4])
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
        /// The most memory in use at once, in KiB; 0 where the kernel does not tell (before Linux 5.19).
        var peakKiB = 0
    }

    private let directory: String
    private static let counter = Monitor<UInt32>(0)

    /// nil when a group cannot be made with its memory limit in force.
    init?(_ groups: ControlGroups, limits: SandboxLimits) {
        let number = Self.counter.withLock { counter in
            counter &+= 1
            return counter
        }
        directory = "\(groups.parent)/escrow-\(getpid())-\(number)"
        guard mkdir(directory, 0o755) == 0 else { return nil }
        _ = writeSmallFile("\(directory)/memory.swap.max", "0")
        _ = writeSmallFile("\(directory)/pids.max", "\(limits.processes + 2)")
        guard writeSmallFile("\(directory)/memory.max", "\(limits.memoryMiB << 20)") == 0 else {
            rmdir(directory)
            return nil
        }
    }

    /// Puts a process in. Returns an errno.
    func add(pid: String) -> Int32 { writeSmallFile("\(directory)/cgroup.procs", pid) }

    /// Reads what was counted and removes the group; the processes in it are dead.
    func finish() -> Count {
        var count = Count()
        count.outOfMemory = number(after: "oom_kill ", in: "memory.events") > 0
        count.outOfProcesses = number(after: "max ", in: "pids.events") > 0
        count.peakKiB = number(after: "", in: "memory.peak") >> 10
        rmdir(directory)
        return count
    }

    private func number(after key: String, in file: String) -> Int {
        for line in readSmallFile("\(directory)/\(file)")?.split(separator: "\n") ?? []
        where line.hasPrefix(key) {
            return Int(line.dropFirst(key.count)) ?? 0
        }
        return 0
    }
}
