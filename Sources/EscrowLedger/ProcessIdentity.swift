import EscrowFiles
import Glibc

/// Names one process for good: the number alone comes back after a while, or in another container.
struct ProcessIdentity: Sendable, Hashable {
    /// `boot:namespace:pid:start`.
    let text: String

    /// This process.
    static let current = ProcessIdentity(
        text: [boot, namespace, String(getpid()), start(of: getpid()) ?? "0"].joined(separator: ":"))

    /// Where it does not matter which process it was.
    static let nobody = ProcessIdentity(text: "")

    /// Whether the process is certainly gone. Where that cannot be seen from here (another PID namespace of the same
    /// boot), it counts as alive: a run must not be called interrupted while it may still hand over a result.
    var isGone: Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let pid = Int32(parts[2]) else { return true }
        guard parts[0] == Self.boot else { return true }
        guard parts[1] == Self.namespace else { return false }
        return Self.start(of: pid) != parts[3]
    }

    private static let boot: String = firstLine("/proc/sys/kernel/random/boot_id") ?? "unknown"

    private static let namespace: String = {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = readlink("/proc/self/ns/pid", &buffer, buffer.count)
        return String(
            decoding: buffer.prefix(max(0, count)).filter { (0x30...0x39).contains($0) }, as: UTF8.self)
    }()

    /// The start time in clock ticks since boot: field 22 of /proc/PID/stat (proc_pid_stat(5)). The name of the program
    /// stands in brackets before it and may hold spaces and brackets, hence the search from the end.
    private static func start(of pid: Int32) -> String? {
        guard let line = firstLine("/proc/\(pid)/stat"), let bracket = line.lastIndex(of: ")") else {
            return nil
        }
        let fields = line[line.index(after: bracket)...].split(separator: " ")
        // A zombie has ended, although its parent has not looked yet.
        guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
        return String(fields[19])
    }

    private static func firstLine(_ path: String) -> String? {
        guard let file = try? Descriptor(opening: path, O_RDONLY), let bytes = try? file.read(4096) else {
            return nil
        }
        return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
