import EscrowAppHost
import EscrowDiagnostics
import EscrowHome
import EscrowHost
import EscrowLocation
import EscrowLocationPrivacy
import EscrowServiceCall
import Foundation
import Glibc
import Synchronization
import TemporaryFolder
import Testing

/// An app that does not behave, on the other end of the host's two pipes.
@Suite struct HostServiceTests {
    /// A host on two pipes; what the app keeps of them is closed at the end of the test.
    final class Connection: @unchecked Sendable {
        private let scratch: TemporaryFolder
        let host: EscrowHost.Host
        let service: HostService
        /// The app's ends.
        let sending: Int32
        let receiving: Int32
        private let hostEnds: [Int32]

        init(stallSeconds: Double, live: LiveSource? = nil) throws {
            scratch = try TemporaryFolder("escrow-service")
            host = try EscrowHost.Host(home: try Home.create(at: scratch.path + "/home"))
            var toHost: [Int32] = [-1, -1]
            var toApp: [Int32] = [-1, -1]
            try #require(pipe(&toHost) == 0 && pipe(&toApp) == 0)
            // A process that another test starts meanwhile must not hold the app's ends open.
            for end in toHost + toApp { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (sending, receiving) = (toHost[1], toApp[0])
            hostEnds = [toHost[0], toApp[1]]
            service = try HostService(
                host: host, input: toHost[0], output: toApp[1], version: "0.0.0", stallSeconds: stallSeconds,
                live: live)
        }

        deinit { for end in hostEnds + [sending, receiving] { close(end) } }

        func bridge(stallSeconds: Double) throws -> ServiceBridge {
            try ServiceBridge(
                socket: scratch.path + "/none.sock", input: hostEnds[0], output: hostEnds[1],
                version: "0.0.0", stallSeconds: stallSeconds)
        }

        /// The pipe to the app holds a page. F_SETPIPE_SZ, which Swift's Glibc module does not declare.
        func shrink() { _ = fcntl(hostEnds[1], Int32(1031), 4_096) }

        /// Closes the host's end that it reads.
        func hangUp() { HostServiceTests.replace(hostEnds[0], by: "/dev/null", O_RDONLY) }

        func send(_ text: String) {
            let bytes = Array(text.utf8)
            #expect(write(sending, bytes, bytes.count) == bytes.count)
        }

        func receive() -> String {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(receiving, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }

    /// Makes a descriptor, whose other end sees it closed, one of something else.
    fileprivate static func replace(_ descriptor: Int32, by path: String, _ flags: Int32) {
        let other = open(path, flags | O_CLOEXEC)
        #expect(other >= 0 && dup2(other, descriptor) == descriptor)
        close(other)
    }

    @Test func anAppThatDoesNotReadLosesItsConnection() throws {
        let connection = try Connection(stallSeconds: 0.1)
        // Each line is answered at once by an error of 90 bytes or so: together more than the pipe to the app holds.
        // The line of the host's own pipe that they come through holds them all.
        for id in 1...1200 { connection.send("{\"id\":\(id),\"run\":{\"app\":1}}\n") }
        #expect(throws: Diagnostic(.appDoesNotRead, "")) { try connection.service.serve() }
    }

    /// The bridge to the service is written to as the host itself is: here nobody answers behind it.
    @Test func anAppThatDoesNotReadLosesTheBridgeToo() throws {
        let connection = try Connection(stallSeconds: 60)
        let bridge = try connection.bridge(stallSeconds: 0.1)
        for id in 1...1200 { connection.send("{\"id\":\(id),\"run\":{\"app\":1}}\n") }
        #expect(throws: Diagnostic(.appDoesNotRead, "")) { try bridge.serve() }
    }

    /// An id is free before its answer is read, so that open ids alone would bound no threads: an app that reads too little is
    /// read no further.
    @Test func noLineIsTakenBehindTooManyAnswersThatNobodyReads() throws {
        let connection = try Connection(stallSeconds: 1)
        connection.shrink()
        signal(SIGPIPE, SIG_IGN)
        let done = DispatchSemaphore(value: 0)
        let ending = Mutex<Diagnostic?>(nil)
        Thread.detachNewThread {
            do throws(Diagnostic) { try connection.service.serve() } catch { ending.withLock { $0 = error } }
            // Whoever still writes hears that nobody reads any more.
            connection.hangUp()
            done.signal()
        }
        let words = String(repeating: "x", count: 8_192)
        var taken = 0
        for id in 1...400 {
            let line = Array(
                #"{"id":\#(id),"status":{"app":"org.example.app","sql":"\#(words)","compute":"none"}}"#.utf8)
            guard write(connection.sending, line + [0x0A], line.count + 1) == line.count + 1 else { break }
            taken += 1
        }
        done.wait()
        #expect(ending.withLock { $0?.code } == .appDoesNotRead)
        // Those that run, those whose answers the pipes hold, and what the pipes to the host and its buffer do.
        #expect(taken < 300, "\(taken)")
    }

    @Test func anAppThatClosesItsEndLosesItsConnection() throws {
        let connection = try Connection(stallSeconds: 60)
        // The greeting meets a closed pipe: neither a signal nor a wait. The descriptor's number stays taken: another test could
        // be given it at once.
        Self.replace(connection.receiving, by: "/dev/null", O_RDONLY)
        signal(SIGPIPE, SIG_IGN)
        #expect(throws: Diagnostic(.appDoesNotRead, "")) { try connection.service.serve() }
    }

    /// A receiver that never has a fix, until it is cancelled.
    private final class Receiver: LiveProvider {
        let cancelled = Atomic(false)
        let asked = Mutex<[Exactness]>([])

        func next(waitingMs: Int) throws(Diagnostic) -> LiveFix? {
            guard !cancelled.load(ordering: .relaxed) else {
                throw Diagnostic(.noLiveProvider, "it was cancelled")
            }
            return nil
        }
        func cancel() { cancelled.store(true, ordering: .relaxed) }
    }

    /// The lines that the host sends, one by one.
    private final class Lines {
        private let connection: Connection
        private var waiting: [String] = []

        init(_ connection: Connection) { self.connection = connection }

        func next() -> String {
            while waiting.isEmpty { waiting = connection.receive().split(separator: "\n").map(String.init) }
            return waiting.removeFirst()
        }
    }

    /// Nothing of where this machine is is asked for before the individual decided, and it ends when the app takes it back.
    @Test func whoFollowsNeedsADecisionAndIsSeenUntilTheyEnd() throws {
        let receiver = Receiver()
        let source = LiveSource { (desired) throws(Diagnostic) in
            receiver.asked.withLock { $0.append(desired) }
            return ("receiver", receiver)
        }
        let connection = try Connection(stallSeconds: 60, live: source)
        let lines = Lines(connection)
        func follow(_ id: Int, _ accuracy: String = "neighbourhood") -> String {
            #"{"id":\#(id),"follow":{"app":"org.example.map","compute":"c","place":{"server":"s","service":"nearby","#
                + #""accuracy":"\#(accuracy)"}},"mode":"visits"}"# + "\n"
        }
        let done = DispatchSemaphore(value: 0)
        let service = connection.service
        Thread.detachNewThread {
            try? service.serve()
            done.signal()
        }
        #expect(lines.next().contains("escrow-host"))
        connection.send(follow(1))
        #expect(lines.next().hasPrefix(#"{"id":1,"error":{"code":"E1372""#))
        #expect(receiver.asked.withLock { $0.isEmpty })
        try connection.host.allowLive("org.example.map", .whileUsing)
        connection.send(follow(2, "none"))
        #expect(lines.next().hasPrefix(#"{"id":2,"error":{"code":"E0617""#))
        connection.send(follow(3))
        while try connection.host.live.follows().first?.isRunning != true { sched_yield() }
        let seen = try #require(try connection.host.live.follows().first)
        #expect(seen.mode == .visits && seen.desired == .neighbourhood && seen.plugin == "c")
        connection.send(#"{"id":4,"cancel":3}"# + "\n")
        #expect(lines.next().hasPrefix(#"{"id":3,"error":{"code":"E1005""#))
        #expect(receiver.asked.withLock { $0 } == [.neighbourhood])
        Self.replace(connection.sending, by: "/dev/null", O_WRONLY)
        done.wait()
        // A cancel is answered at once; the end of what followed is recorded behind it.
        #expect(try connection.host.live.follows().first?.isRunning == false)
    }

    @Test func anAppThatReadsIsServedToItsEnd() throws {
        let connection = try Connection(stallSeconds: 60)
        connection.send("{\"id\":7,\"status\":{\"app\":\"org.example.app\",\"compute\":\"none\"}}\n")
        connection.send("{\"cancel\":1,\"id\":8}\n")
        Self.replace(connection.sending, by: "/dev/null", O_WRONLY)
        try connection.service.serve()
        let answers = connection.receive().split(separator: "\n")
        #expect(answers.first == "{\"escrow-host\":1,\"version\":\"0.0.0\"}")
        #expect(answers.count == 2 && answers[1].hasPrefix("{\"id\":7,\"error\":{"))
    }
}
