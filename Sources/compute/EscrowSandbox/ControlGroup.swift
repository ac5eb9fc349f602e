import Glibc

/// The control group (v2) of one run, removed at its end.
final class ControlGroup: Sendable {
    struct Count: Sendable, Equatable {
        /// The kernel killed it for want of memory.
        var outOfMemory = false
        var outOfProcesses = false
        /// The most memory in use at once, in KiB; 0 where the kernel does not tell (before Linux 5.19).
        var peakKiB = 0
    }

    let directory: String
    private static let counter = Monitor<UInt32>(0)

    /// Makes a group below the parent; nil when there cannot be one with its limits in force.
    convenience init?(_ groups: ControlGroups, limits: SandboxLimits) {
        let number = Self.counter.withLock { counter in
            counter &+= 1
            return counter
        }
        let directory = "\(groups.parent)/escrow-\(getpid())-\(number)"
        guard mkdir(directory, 0o755) == 0 else { return nil }
        self.init(directory: directory, groups.controllers, limits)
    }

    /// Takes over an empty group. On failure it is removed.
    init?(directory: String, _ controllers: Set<ControlGroups.Controller>, _ limits: SandboxLimits) {
        self.directory = directory
        var error: Int32 = 0
        if controllers.contains(.memory) {
            // A machine without swap has no such file.
            _ = writeSmallFile("\(directory)/memory.swap.max", "0")
            error = writeSmallFile("\(directory)/memory.max", "\(limits.memoryMiB << 20)")
        }
        if controllers.contains(.pids), error == 0 {
            // Behind the supervisor, which counts first and names the limit.
            error = writeSmallFile("\(directory)/pids.max", "\(limits.processes + 2)")
        }
        guard error == 0 else {
            rmdir(directory)
            return nil
        }
    }

    func add(pid: String) -> Int32 { writeSmallFile("\(directory)/cgroup.procs", pid) }

    /// Reads what was counted and removes the group; the processes in it are dead.
    func finish() -> Count {
        let count = counted()
        Self.remove(directory)
        return count
    }

    func counted() -> Count {
        func read(_ file: String) -> String { readSmallFile("\(directory)/\(file)") ?? "" }
        var count = Count()
        count.outOfMemory = Self.value(of: "oom_kill", in: read("memory.events")) ?? 0 > 0
        count.outOfProcesses = Self.value(of: "max", in: read("pids.events")) ?? 0 > 0
        count.peakKiB = Int(clamping: (Self.number(read("memory.peak").dropLast()) ?? 0) >> 10)
        return count
    }

    /// Removes a group and kills what is still in it. The kernel removes a group only once its last process is gone, which the
    /// file of events shows.
    static func remove(_ directory: String) {
        for _ in 0..<20 {
            if rmdir(directory) == 0 || errno != EBUSY { return }
            _ = writeSmallFile("\(directory)/cgroup.kill", "1")
            let events = open("\(directory)/cgroup.events", O_RDONLY | O_CLOEXEC)
            guard events >= 0 else { return }
            // poll reports changes since the last read, so read first.
            var text = [UInt8](repeating: 0, count: 256)
            _ = read(events, &text, text.count)
            var waiting = pollfd(fd: events, events: Int16(POLLPRI), revents: 0)
            if value(of: "populated", in: String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)) == 1 {
                poll(&waiting, 1, 50)
            }
            close(events)
        }
    }

    /// The number after a key in a file of lines `key number`; nil for any other form.
    static func value(of key: String, in text: String) -> UInt64? {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            if words.count == 2, words[0] == key { return number(words[1]) }
        }
        return nil
    }

    /// A decimal number and nothing else: no sign, no space, no word such as `max`.
    private static func number(_ text: Substring) -> UInt64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(text) : nil
    }
}
