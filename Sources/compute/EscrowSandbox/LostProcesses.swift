import EscrowFiles
import Glibc

/// Plugins that were killed and did not end.
///
/// SIGKILL ends a process when it next runs, which a tracer, a frozen control group or a wait inside the kernel can prevent. Its
/// run ends as lost. The process keeps what it was given and can hand on nothing: its pipes are closed, and it never executes
/// another instruction of its own.
public enum LostProcesses {
    private static let pids = Monitor<[Int32]>([])

    /// Those of this host that have not ended yet, by their process ids.
    static var current: [Int32] { pids.withLock { $0 } }

    static func add(_ pid: Int32) { pids.withLock { $0.append(pid) } }

    static func remove(_ pid: Int32) {
        pids.withLock { list in
            if let index = list.firstIndex(of: pid) { list.remove(at: index) }
        }
    }

    /// What keeps a process from ending, as far as /proc tells.
    static func hold(of pid: Int32) -> Outcome.Hold {
        let tracer = value(of: "TracerPid", in: readSmallFile("/proc/\(pid)/status") ?? "")
        return tracer == nil || tracer == "0" ? .unknown : .traced
    }

    /// The name of the thread that waits for such a process, by which other commands find it while its host lives.
    static func threadName(_ pid: Int32) -> String { "lost-\(pid)" }

    /// One that is lost, of any host.
    public struct Found: Sendable, Equatable {
        public let pid: Int32
        public let hold: Outcome.Hold
    }

    /// All that this user can see: those that a living host waits for, and those whose host is gone.
    public static func find() -> [Found] {
        let processes = numbers(in: "/proc")
        var lost: Set<Int32> = []
        var hosts: Set<Int32> = []
        var plugins: [(pid: Int32, parent: Int32)] = []
        for pid in processes {
            for name in threadNames(pid) {
                if name == Spawner.threadName { hosts.insert(pid) }
                if name.hasPrefix("lost-"), let number = Int32(name.dropFirst(5)) { lost.insert(number) }
            }
            if let parent = parentOfPlugin(pid) { plugins.append((pid, parent)) }
        }
        for plugin in plugins where !hosts.contains(plugin.parent) { lost.insert(plugin.pid) }
        return lost.sorted().filter { access("/proc/\($0)", F_OK) == 0 }
            .map { Found(pid: $0, hold: hold(of: $0)) }
    }

    /// The parent of a process that has all marks of a plugin, which it cannot change: process 1 of its own namespace, filtered,
    /// no new privileges, first victim when memory is short, never dumped.
    private static func parentOfPlugin(_ pid: Int32) -> Int32? {
        guard let status = readSmallFile("/proc/\(pid)/status"), value(of: "Seccomp", in: status) == "2",
            value(of: "NoNewPrivs", in: status) == "1",
            let ids = value(of: "NSpid", in: status)?.split(separator: "\t"), ids.count >= 2, ids.last == "1",
            trimmed("/proc/\(pid)/oom_score_adj") == "1000",
            trimmed("/proc/\(pid)/coredump_filter") == "00000000"
        else { return nil }
        return value(of: "PPid", in: status).flatMap { Int32($0) }
    }

    private static func threadNames(_ pid: Int32) -> [String] {
        numbers(in: "/proc/\(pid)/task").compactMap { trimmed("/proc/\(pid)/task/\($0)/comm") }
    }

    private static func trimmed(_ path: String) -> String? {
        readSmallFile(path).map { String($0.prefix { $0 != "\n" }) }
    }

    private static func value(of name: String, in status: String) -> Substring? {
        for line in status.split(separator: "\n") where line.hasPrefix(name + ":") {
            return line.dropFirst(name.count + 1).drop { $0 == "\t" || $0 == " " }
        }
        return nil
    }

    private static func numbers(in folder: String) -> [Int32] {
        ((try? Folder.names(folder)) ?? []).compactMap { Int32($0) }
    }
}

extension Outcome {
    public enum Hold: String, Sendable {
        /// A debugger, say, that stops it at its end.
        case traced = "another program traces it"
        /// A frozen control group, or a wait that the kernel does not break off.
        case unknown = "it is frozen, or waits in the kernel"
    }
}
