import CAppPeers
public import EscrowDiagnostics
import EscrowFiles
import Glibc

/// Which programs open files, as the kernel tells it. fanotify(7)
public struct Openings: Sendable {
    /// The program's path, where it is still known.
    public let program: String
    /// What it opened.
    public let path: String
    /// How often.
    public let count: Int

    /// Watches files and folders, with all that lies in them, for a while. E1262.
    public static func watch(_ paths: [String], seconds: Int) throws(Diagnostic) -> [Openings] {
        let watch = Descriptor(owning: app_watch_begin())
        guard watch.raw >= 0 else { throw unseen(errno) }
        // Whole file systems: a watched file that is saved by rename is another file, and a folder that is made later is watched by
        // nobody.
        let places = paths.map(Walls.real)
        for place in places {
            guard access(place, F_OK) == 0 else { continue }
            guard app_watch_add(watch.raw, place) else { throw unseen(errno) }
        }
        var counts: [[String]: Int] = [:]
        let end = monotonicNanoseconds() + UInt64(max(0, seconds)) * 1_000_000_000
        while case let now = monotonicNanoseconds(), now < end {
            var waiting = pollfd(fd: watch.raw, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, Int32(clamping: (end - now) / 1_000_000 + 1)) > 0 else { continue }
            var process: pid_t = 0
            var file: Int32 = -1
            guard app_watch_next(watch.raw, &process, &file) else { break }
            let opened = Descriptor(owning: file)
            guard process != getpid(), let path = target("/proc/self/fd/\(opened.raw)"),
                places.contains(where: { Walls.isWithin(path, $0) })
            else { continue }
            let program = target("/proc/\(process)/exe") ?? "process \(process), which has ended"
            counts[[program, path], default: 0] += 1
        }
        return counts.map { Openings(program: $0.key[0], path: $0.key[1], count: $0.value) }
            .sorted { ($0.program, $0.path) < ($1.program, $1.path) }
    }

    private static func target(_ link: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = readlink(link, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    private static func unseen(_ reason: Int32) -> Diagnostic {
        Diagnostic(
            .openingsNotSeen,
            "which programs open your sources cannot be seen: \(String(cString: strerror(reason)))",
            help: "who administrates the machine can: sudo escrow app audit --home DIR")
    }
}
