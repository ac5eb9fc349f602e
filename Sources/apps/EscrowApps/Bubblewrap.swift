import CAppWalls
public import EscrowDiagnostics
import EscrowFiles
import Glibc

/// A program under bubblewrap, started and waited for.
public enum Bubblewrap {
    /// Open for as long as the program may live: its first process waits at the other end. bwrap's --die-with-parent is set late, and
    /// a bwrap that is killed early leaves what it began.
    private nonisolated(unsafe) static var life: Int32 = -1
    /// Where that process has the other end.
    private static let lifeInside: Int32 = 4
    private nonisolated(unsafe) static var signalTaken: Int32 = 0

    /// Starts a program behind walls, with nothing of this process but its first three descriptors: a terminal of its own where one
    /// of them is the person's, a pipe where one is a file. Returns the exit status of a shell's making. E1258.
    public static func run(_ walls: Walls, _ command: [String]) throws(Diagnostic) -> Int32 {
        let given = (0...2).filter(isGiven)
        var terminal = try AppTerminal.instead(of: given)
        let files = try CarriedFiles(of: given.filter { terminal?.side(for: $0) == nil })
        let descriptors = (0...2).map { number in
            terminal?.side(for: number) ?? files.side(for: number) ?? (given.contains(number) ? number : -1)
        }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw unstarted(errno) }
        for raw in ends { _ = fcntl(raw, F_SETFD, FD_CLOEXEC) }
        let inside = Descriptor(owning: ends[0])
        life = ends[1]
        let process = try start(walls, command, descriptors, inside)
        let ended = Descriptor(owning: app_end(process))
        // Nothing would tell that it ended.
        guard ended.raw >= 0 else {
            let reason = errno
            endLife()
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
            throw unstarted(reason)
        }
        // What would end this process ends the program, so that the terminal and the socket are left in order.
        for number in endings where !app_ignores(number) {
            signal(number) {
                Bubblewrap.signalTaken = $0
                Bubblewrap.endLife()
            }
        }
        files.carry(until: ended.raw)
        terminal?.relay(until: ended.raw)
        // Whatever is still there has its terminal hung up.
        terminal = nil
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        endLife()
        try files.finish()
        guard signalTaken == 0 else { return 128 + signalTaken }
        let end = status & 0x7F
        return end == 0 ? (status >> 8) & 0xFF : 128 + end
    }

    private static let endings = [SIGINT, SIGQUIT, SIGTERM, SIGHUP]

    /// Whether this command was told to end.
    static var isToEnd: Bool { signalTaken != 0 }

    /// What `bwrap` has as the first process: runs the program, and ends all when the program or the starting process ends.
    public static func first(_ command: [String], ignoring: [Int32]) -> Int32 {
        withWords(command) { app_first($0, lifeInside, ignoring, Int32(ignoring.count)) }
    }

    private static func endLife() {
        guard life >= 0 else { return }
        close(life)
        life = -1
    }

    /// Whether this process was given a descriptor. One that it opened itself, where none was, closes at exec.
    private static func isGiven(_ number: Int32) -> Bool {
        let flags = fcntl(number, F_GETFD)
        return flags >= 0 && flags & FD_CLOEXEC == 0
    }

    private static func start(
        _ walls: Walls, _ command: [String], _ descriptors: [Int32], _ life: borrowing Descriptor
    ) throws(Diagnostic) -> pid_t {
        // Arguments stand in /proc, and these name what is covered.
        let arguments = Descriptor(owning: MemoryFile.make("walls"))
        guard arguments.raw >= 0 else { throw unstarted(-arguments.raw) }
        try arguments.write(walls.words.flatMap { Array($0.utf8) + [0] })
        lseek(arguments.raw, 0, SEEK_SET)
        // What the person's shell had this command ignore, as nohup does, the program begins with.
        let ignored = endings.filter(app_ignores).flatMap { ["--ignore", "\($0)"] }
        let words = ["bwrap", "--args", "3", "--", Walls.tool, "app", "first"] + ignored + ["--"] + command
        let all = descriptors + [arguments.raw, life.raw]
        let process = withWords(words) { app_start($0, all, Int32(all.count)) }
        guard process > 0 else { throw unstarted(errno) }
        return process
    }

    private static func unstarted(_ reason: Int32) -> Diagnostic {
        Diagnostic(
            .confinementMissing, "bwrap cannot be started: \(String(cString: strerror(reason)))",
            help: "install it: apt install bubblewrap")
    }

    private static func withWords<Result>(
        _ words: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = words.map { UnsafePointer<CChar>(strdup($0)) }
        defer { copies.forEach { free(UnsafeMutablePointer(mutating: $0)) } }
        return (copies + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}
