import BenchKey
import Dispatch
import EscrowJSON
import EscrowLedger
import Glibc
import Synchronization

/// Entries a second, each acknowledged only when it is on the disk, by several threads of one process, and by several
/// processes.
enum Writers {
    static func measure(_ folder: String, appends: Int) throws {
        let key = try BenchKey()
        for count in [1, 2, 4, 8, 16] {
            let path = "\(folder)/threads-\(count)"
            let ledger = try Ledger.create(directory: path, copies: [path + ".heads"], signer: key)
            let figure = try Figure.time { try append(to: ledger, threads: count, appends) }
            tell("threads", count, appends, figure)
        }
        for count in [1, 2, 4, 8, 16] {
            let path = "\(folder)/processes-\(count)"
            _ = try Ledger.create(directory: path, copies: [path + ".heads"], signer: key)
            let figure = Figure.time { spawn(count, path, appends / count) }
            tell("processes", count, appends / count * count, figure)
        }
    }

    private static func tell(_ what: String, _ count: Int, _ appends: Int, _ figure: Figure) {
        Figure.tell(
            .object([
                (what, .integer(Int64(count))),
                ("entriesPerSecond", .real((Double(appends) / figure.seconds).rounded())),
            ]))
    }

    /// Appends decisions as large as those of a run, by threads of their own: concurrentPerform would use no more than
    /// there are processors.
    static func append(to ledger: Ledger, threads: Int, _ count: Int) throws {
        let group = DispatchGroup()
        let queue = DispatchQueue(label: "writers", attributes: .concurrent)
        let flag = Flag()
        for thread in 0..<threads {
            queue.async(group: group) {
                for index in stride(from: thread, to: count, by: threads) {
                    do { try append(to: ledger, index) } catch { flag.raise() }
                }
            }
        }
        group.wait()
        guard !flag.isRaised else { stop("an append failed") }
    }

    /// One of several processes.
    static func write(_ folder: String, _ count: Int) throws {
        let ledger = try Ledger.open(directory: folder, copies: [folder + ".heads"], signer: BenchKey())
        for index in 0..<count { try append(to: ledger, index) }
    }

    private static func append(to ledger: Ledger, _ index: Int) throws {
        try ledger.append(.decision, fields: ["index": .integer(Int64(index)), "text": .string(text)])
    }

    private static let text = String(repeating: "x", count: 400)

    /// Starts so many processes and waits for them.
    private static func spawn(_ count: Int, _ folder: String, _ appends: Int) {
        var children: [pid_t] = []
        for _ in 0..<count {
            let words = ["ledger-bench", "write", folder, String(appends)]
            var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
            defer { for argument in arguments { free(argument) } }
            arguments.append(nil)
            var child = pid_t()
            guard posix_spawn(&child, "/proc/self/exe", nil, nil, arguments, environ) == 0 else {
                stop("a process could not be started")
            }
            children.append(child)
        }
        for child in children {
            var status: Int32 = 0
            guard waitpid(child, &status, 0) == child, status == 0 else { stop("a process failed") }
        }
    }

    private static func stop(_ why: String) -> Never {
        print(why)
        exit(1)
    }
}

/// Raised by any thread.
private final class Flag: Sendable {
    private let flag = Atomic(false)
    func raise() { flag.store(true, ordering: .relaxed) }
    var isRaised: Bool { flag.load(ordering: .relaxed) }
}
