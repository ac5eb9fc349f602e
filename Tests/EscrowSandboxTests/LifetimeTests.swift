import EscrowFiles
import Glibc
import Testing

@testable import EscrowSandbox

/// Thousands of runs leave nothing behind. In a process of its own, since other tests open and start things meanwhile.
///
/// `ESCROW_RUNS` sets another number of runs; `make soak` makes ten thousand.
@Suite(.timeLimit(.minutes(60))) struct LifetimeTests {
    @Test func thousandsOfRunsLeaveNothingBehind() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let runs = getenv("ESCROW_RUNS").flatMap { Int(String(cString: $0)) } ?? 3_000
            let plugins = try Plugins()
            // Some first: threads, pools of memory and proofs that stay are no leak.
            for turn in 0..<200 { try plugins.run(turn) }
            let before = Footprint.settled(like: nil)
            for turn in 0..<runs { try plugins.run(turn) }
            let after = Footprint.settled(like: before)
            print("\(runs) runs: before \(before)")
            print("\(runs) runs: after  \(after)")
            #expect(plugins.wrong == [])
            #expect(after.threads <= before.threads)
            #expect(after.descriptors <= before.descriptors)
            #expect(after.children == before.children)
            #expect(after.mounts == before.mounts)
            #expect(after.groups == before.groups)
            #expect(after.temporaryFiles == before.temporaryFiles)
            // Pages that the allocator keeps; a leak of 1.4 KB a run would be above, of 400 bytes in ten thousand runs.
            #expect(after.residentKiB - before.residentKiB < 4096)
            print(plugins.wrong.prefix(5))
        }
        print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
    }
}

/// Small plugins with different ends, in turn.
private final class Plugins {
    private let sandbox: Sandbox
    private let good: SealedFile
    private let bad: SealedFile

    init() throws {
        sandbox = try Sandbox()
        #if arch(x86_64)
        good = try SealedFile(Canary.program([0xb8, 0xe7, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05]))  // exit_group(0)
        #else
        good = try SealedFile(
            Canary.program([0xc8, 0x0b, 0x80, 0xd2, 0, 0, 0x80, 0xd2, 0x01, 0, 0, 0xd4]))
        #endif
        bad = try SealedFile(Canary.image)
    }

    /// Runs that ended otherwise than they must.
    private(set) var wrong: [String] = []

    func run(_ turn: Int) throws {
        switch turn % 10 {
        case 0:
            let process = try sandbox.launch(.executable(fd: bad.fd), name: "bad")
            expect(process, turn) { $0 == .violation }
        case 1:
            // It waits for its input, which stays open.
            let process = try sandbox.launch(.executable(fd: bad.fd), name: "waiting")
            _ = try process.read(max: 2)
            process.kill(reason: .cancelled)
            expect(process, turn) { $0 == .killedByHost(.cancelled) }
        case 2:
            let limits = SandboxLimits(wallSeconds: 0.002)
            let process = try sandbox.launch(.executable(fd: bad.fd), name: "slow", limits: limits)
            while let bytes = try? process.read(max: 64), !bytes.isEmpty {}
            expect(process, turn) { $0 == .limit(.wall) }
        case 3:
            // Nobody waits for the end of this one.
            _ = try sandbox.launch(.executable(fd: bad.fd), name: "abandoned")
        case 4:
            // Killed at any moment of its start.
            let process = try sandbox.launch(.executable(fd: good.fd), name: "early")
            process.kill(reason: .cancelled)
            expect(process, turn) { $0 == .killedByHost(.cancelled) || $0 == .exited(0) }
        default:
            let process = try sandbox.launch(.executable(fd: good.fd), name: "good")
            expect(process, turn) { $0 == .exited(0) }
        }
    }

    private func expect(_ process: SandboxedProcess, _ turn: Int, _ isRight: (Outcome.Status) -> Bool) {
        let status = process.finish(graceSeconds: 60).status
        if !isRight(status) { wrong.append("\(turn): \(status)") }
    }
}

/// What this process holds of the machine.
private struct Footprint: CustomStringConvertible {
    let threads: Int
    let descriptors: Int
    let children: [String]
    let mounts: String
    let groups: Int
    let temporaryFiles: [String]
    let residentKiB: Int

    var description: String {
        "\(threads) threads, \(descriptors) descriptors, \(children.count) children, \(residentKiB) KiB resident"
    }

    init() {
        let pid = getpid()
        threads = names(in: "/proc/self/task").count
        descriptors = names(in: "/proc/self/fd").count
        // Zombies are still their parent's children.
        children = names(in: "/proc").filter { name in
            guard let status = readSmallFile("/proc/\(name)/stat"), let end = status.lastIndex(of: ")")
            else { return false }
            return status[end...].split(separator: " ").dropFirst(2).first == "\(pid)"
        }
        mounts = readSmallFile("/proc/self/mountinfo") ?? ""
        groups =
            ControlGroups.find().map { names(in: $0.parent).filter { $0.hasPrefix("escrow-\(pid)-") }.count }
            ?? 0
        temporaryFiles = ["/tmp", "/dev/shm", "/var/tmp"].flatMap { folder in
            names(in: folder).filter { $0.split { !$0.isLetter && !$0.isNumber }.contains("\(pid)") }
        }
        let pages = (readSmallFile("/proc/self/statm") ?? "").split(separator: " ").dropFirst().first
        residentKiB = (pages.flatMap { Int($0) } ?? 0) * (Int(sysconf(Int32(_SC_PAGESIZE))) >> 10)
    }

    /// What is held once the threads and plugins that are about to end have ended: what is left after two minutes stays.
    static func settled(like other: Footprint?) -> Footprint {
        let deadline = monotonicNanoseconds() + 120_000_000_000
        while true {
            let now = Footprint()
            let isSettled =
                now.children.isEmpty
                && other.map { now.threads <= $0.threads && now.descriptors <= $0.descriptors } ?? true
            if isSettled || monotonicNanoseconds() > deadline { return now }
            poll(nil, 0, 20)
        }
    }
}

/// The names in a folder, without dots.
private func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var found: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name.first != "." { found.append(name) }
    }
    return found
}
