import Glibc
import Testing

@testable import EscrowSandbox

/// A copy of a program that a run had goes to the next one only without a trace of the first.
@Suite struct RunCopiesTests {
    /// One program, and the copies that its runs leave.
    private final class Bench {
        let sandbox: Sandbox
        let copies: RunCopies
        let sealed: SealedFile

        /// nil (after a SKIP line) where there is no compiler, or no copy can be cleaned here.
        init?(
            _ probe: String, _ change: ([UInt8]) -> [UInt8] = { $0 }, most: Int = 1,
            cleaning: @escaping @Sendable (RunCopy) -> Bool = { $0.clean() }
        ) throws {
            if let reason = MachineMemory.keepsTraces {
                print("SKIP: no copy is used twice here: \(reason)")
                return nil
            }
            guard let path = try Probes.path(probe) else { return nil }
            let program = try SealedFile(change(try readFile(path)))
            var information = stat()
            try #require(fstat(program.fd, &information) == 0)
            copies = RunCopies(mostBytes: most * information.st_size, cleaning: cleaning)
            sealed = program
            sandbox = try Sandbox()
        }

        func start(_ arguments: [String] = []) throws -> SandboxedProcess {
            try sandbox.start(
                sandbox.prepare(
                    .executable(fd: sealed.fd), arguments: arguments, limits: .standard, copies: copies))
        }

        /// A run to its end, and its copy given back.
        func run(_ arguments: [String] = []) throws -> Ran {
            let ran = try start(arguments).finishRun(input: [])
            eventually("the copy is back") { copies.count == 1 }
            return ran
        }
    }

    /// How much more often a line looks used where the run before used it: 1 where that tells all of it, 0 where it tells nothing.
    private func told(_ lines: Lines, isCleaned: Bool) throws -> Double? {
        let bench = try Bench("residue", { lines == .behindTheEnd ? Self.withTail($0) : $0 }) { copy in
            !isCleaned || copy.clean()
        }
        guard let bench else { return nil }
        let end = lines == .behindTheEnd ? ["tail"] : []
        // The first copy is in the caches, since it was just written; who looks leaves it cold.
        _ = try bench.run(["look"] + end)
        var sum = 0.0
        var count = 0
        while count < 2560 {
            // Half of the lines were used, so that a run that sees all or none adds nothing.
            let secret = (0..<lines.rawValue).map { $0 < lines.rawValue / 2 }.shuffled()
            let marked = try bench.run(["mark", secret.map { $0 ? "1" : "0" }.joined()] + end)
            let ran = try bench.run(["look"] + end)
            try #require(marked.outcome.isClean && ran.outcome.isClean, "\(marked.outcome) \(ran.outcome)")
            try #require(ran.output.utf8.count == lines.rawValue + 1)
            for (wasUsed, seen) in zip(secret, ran.output) where seen == "1" { sum += wasUsed ? 1 : -1 }
            count += lines.rawValue
        }
        return 2 * sum / Double(count)
    }

    /// Where the lines are, and how many.
    enum Lines: Int, CaseIterable { case ofTheProgram = 64, behindTheEnd = 4 }

    /// The attack. By chance alone 0.12 is six times the deviation, 0.02.
    @Test(arguments: Lines.allCases) func whatARunUsedOfItsProgramIsNotToldToTheNext(_ lines: Lines) throws {
        guard let attack = try told(lines, isCleaned: false),
            let told = try told(lines, isCleaned: true)
        else { return }
        print("of what a run used \(lines) the next learns \(attack), and after cleaning \(told)")
        if attack < 0.12 {
            print("SKIP: the caches of this machine do not keep what a run used, cleaned or not")
        }
        #expect(abs(told) < 0.12)
    }

    /// The program with one more segment, whose first line is the file's last: of the page the file has no more. A note of the linker's
    /// makes room for it among the headers. System V gABI, chapter 5
    private static func withTail(_ program: [UInt8]) -> [UInt8] {
        var bytes = program + [UInt8](repeating: 0, count: (4096 - program.count % 4096) % 4096)
        let offset = bytes.count
        bytes += [UInt8](repeating: 1, count: 64)
        func put(_ value: UInt64, _ size: Int, at: Int) {
            for index in 0..<size {
                bytes[at + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))
            }
        }
        let headers = Int(Executable.number(program, 32, 8))
        for index in 0..<Int(Executable.number(program, 56, 2)) {
            let at = headers + index * 56
            guard Executable.number(program, at, 4) == 0x6474_e553 else { continue }  // PT_GNU_PROPERTY
            put(1, 4, at: at)  // PT_LOAD
            put(4, 4, at: at + 4)  // PF_R
            for (place, value) in [UInt64(offset), 0x2000_0000, 0x2000_0000, 64, 64, 4096].enumerated() {
                put(value, 8, at: at + 8 + place * 8)
            }
            return bytes
        }
        return program
    }

    private func file(_ process: SandboxedProcess) throws -> Substring? {
        _ = try process.read(max: 1)
        guard let directory = process.procDirectory, let bytes = try? readFile("\(directory)/maps") else {
            return nil
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return lines.first.flatMap {
            $0.split(separator: " ", omittingEmptySubsequences: true).dropFirst(4).first
        }
    }

    @Test func twoRunsAtATimeHaveTwoAndOneAfterThemHasEither() throws {
        guard let bench = try Bench("meet", most: 2) else { return }
        let (first, second) = (try bench.start(), try bench.start())
        guard let one = try file(first), let other = try file(second) else {
            print("SKIP: the kernel does not show this user what a plugin has mapped")
            return
        }
        #expect(one != other)
        #expect(first.finishRun(input: []).outcome.isClean && second.finishRun(input: []).outcome.isClean)
        let copies = bench.copies
        eventually("both are back") { copies.count == 2 }
        let third = try bench.start()
        let again = try file(third)
        #expect(again == one || again == other)
        #expect(third.finishRun(input: []).outcome.isClean)
    }

    @Test func moreThanMayRestAreLetGo() throws {
        guard let bench = try Bench("echo", most: 1) else { return }
        let processes = [try bench.start(), try bench.start(), try bench.start()]
        for process in processes { #expect(process.finishRun(input: []).outcome.isClean) }
        let copies = bench.copies
        eventually("one rests") { copies.count == 1 }
        copies.empty()
        #expect(copies.count == 0)
    }

    @Test func oneThatCannotBeCleanedIsNotUsedAgain() throws {
        let asked = Monitor(false)
        let bench = try Bench(
            "echo",
            cleaning: { _ in
                asked.withLock { $0 = true }
                return false
            })
        guard let bench else { return }
        #expect(try bench.start().finishRun(input: []).outcome.isClean)
        asked.wait { $0 ? () : nil }
        #expect(bench.copies.take() == nil)
    }

    @Test(arguments: ["kill", "misdeed"]) func whoIsStoppedGivesItBackAfterItsEnd(how: String) throws {
        guard let bench = try Bench(how == "kill" ? "meet" : "misdeed") else { return }
        let process = try bench.start(how == "kill" ? [] : ["inet"])
        if how == "kill" {
            _ = try process.read(max: 1)
            process.kill(reason: .cancelled)
        }
        #expect(!process.finishRun(input: []).outcome.isClean)
        let copies = bench.copies
        eventually("it is back") { copies.count == 1 }
    }

    /// On a machine without swap no run comes to that step.
    @Test(arguments: [true, false]) func oneIsCleanedWithSwapAndWithout(hasSwap: Bool) throws {
        guard let bench = try Bench("echo") else { return }
        _ = try bench.run()
        let copy = try #require(bench.copies.take())
        #expect(copy.clean(hasSwap: hasSwap))
    }

    @Test(arguments: [128, 0]) func aPoolGivesThemToLaterRuns(copiesMiB: Int) throws {
        guard MachineMemory.keepsTraces == nil, let program = try Probes.program("meet") else { return }
        let pool = WarmPool(sandbox: try Sandbox(), settings: .init(copiesMiB: copiesMiB))
        defer { pool.close() }
        var files: Set<Substring> = []
        for _ in 0..<30 {
            let process = try pool.launch(.executable(fd: program.fd), identity: "a", name: "probe")
            guard let file = try file(process) else {
                print("SKIP: the kernel does not show this user what a plugin has mapped")
                return
            }
            files.insert(file)
            #expect(process.finishRun(input: []).outcome.isClean)
        }
        #expect((files.count < 30) == (copiesMiB > 0))
    }

    @Test func aPoolKeepsNoneWhileNothingRuns() throws {
        guard MachineMemory.keepsTraces == nil, let program = try Probes.program("echo") else { return }
        let pool = WarmPool(sandbox: try Sandbox())
        defer { pool.close() }
        let processes = try (0..<6).map { _ in
            try pool.launch(.executable(fd: program.fd), identity: "a", name: "probe")
        }
        for process in processes { #expect(process.finishRun(input: []).outcome.isClean) }
        eventually("it has parked what it wants, and nothing rests") {
            pool.counts.parked == pool.worker.depths.reduce(0, +) && pool.worker.copies == 0
        }
    }
}

/// On what machines a page that was in use is as one that was not, once it is flushed.
@Suite struct MachineMemoryTests {
    private static let never = "always within_size advise [never] deny force\n"

    @Test func oneNodeAndNoLargePagesLeaveNothing() {
        #expect(MachineMemory.traces(nodes: "0\n", largePages: Self.never, sizes: []) == nil)
        let sizes = [
            "always [inherit] within_size advise never\n", "always inherit within_size advise [never]\n",
        ]
        #expect(MachineMemory.traces(nodes: "0\n", largePages: Self.never, sizes: sizes) == nil)
    }

    @Test(arguments: ["0-1\n", "0,2\n", "", nil]) func pagesThatMoveBetweenNodesAreNotUsedAgain(
        _ nodes: String?
    ) {
        #expect(MachineMemory.traces(nodes: nodes, largePages: Self.never, sizes: []) != nil)
    }

    @Test(arguments: [
        ("[always] within_size advise never deny force\n", []),
        ("always within_size [advise] never deny force\n", []),
        (nil, []), (never, ["[always] inherit within_size advise never\n"]),
        (never, ["always inherit [within_size] advise never\n"]), (never, [""]),
    ])
    func pagesThatGrowAreNotUsedAgain(_ setting: String?, _ sizes: [String]) {
        #expect(MachineMemory.traces(nodes: "0\n", largePages: setting, sizes: sizes) != nil)
    }
}
