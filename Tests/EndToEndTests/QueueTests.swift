import Foundation
import Testing

/// What is decided waits for what the device must have, and then runs once.
@Suite struct QueueTests {
    static let wait =
        #"{"id": "heavy", "effect": "require", "needs": {"charging": true}, "missing": "wait"}"#
    static let unplugged = #"{"charging": false, "battery": 40}"#
    static let plugged = #"{"charging": true, "battery": 40}"#

    /// A home in which phone-check is allowed and the device is on battery.
    private func escrow(_ rules: String = wait, device: String = unplugged) throws -> Escrow {
        let escrow = try PreferencesTests.escrow(rules, device: device)
        let granted = try escrow.run(
            "grant", "allow", "--app", PreferencesTests.app, "--plugin", "phone-check")
        try #require(granted.status == 0)
        return escrow
    }

    private func run(_ escrow: Escrow) throws -> Escrow.Outcome {
        try escrow.run("run", "phone-check", "--app", PreferencesTests.app)
    }

    private func waiting(_ escrow: Escrow) throws -> [[String: Any]] {
        try #require(
            try escrow.run("queue", "list", "--format", "json").json()["waiting"] as? [[String: Any]])
    }

    /// Starts a command that stays; its stdin and stdout.
    private func start(_ escrow: Escrow, _ arguments: String...) throws -> (Process, Pipe, Pipe) {
        let process = Process()
        process.executableURL = Escrow.program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["ESCROW_HOME": escrow.home.path]) {
            $1
        }
        process.currentDirectoryURL = Escrow.root
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, input, output)
    }

    /// Waits until a process holds something in the queue, asking the queue itself each time.
    private func untilHeld(_ escrow: Escrow) throws {
        for _ in 0..<1000 {
            if try waiting(escrow).first?["held"] as? Bool == true { return }
        }
        Issue.record("nothing is held")
    }

    @Test func aDataflowWaitsUntilTheDeviceHasWhatItMustHave() throws {
        let escrow = try escrow()
        let waits = try run(escrow)
        #expect(waits.status == 75 && waits.output.isEmpty)
        #expect(waits.words.contains("warning[E1114]: this dataflow waits, by your rule heavy"))
        #expect(waits.words.contains("it must have: external power"))
        #expect(try escrow.entries("run-intent").isEmpty)
        #expect(try escrow.entries("decision").last?["answer"] as? String == "waits")
        // The same request waits once.
        #expect(try run(escrow).status == 75)
        let queue = try waiting(escrow)
        #expect(queue.count == 1 && queue[0]["missing"] as? [String] == ["external power"])
        let pending = try escrow.run("pending")
        #expect(pending.output.contains("phone-check  external power  you\n"), "\(pending.output)")
        #expect(
            pending.words == """
                nothing waits for an answer of yours
                decided, and waiting for something else than you:
                run what has all that it needs: escrow queue run; let go of one: escrow queue drop ID

                """)
        #expect(try escrow.run("queue", "run").status == 75)

        _ = try escrow.write("device.json", Self.plugged)
        let told = try escrow.run("pending", "--format", "json").json()["waiting"] as? [[String: Any]]
        #expect(told?.count == 1 && told?[0]["missing"] as? [String] == [], "\(told ?? [])")
        let ran = try escrow.run("queue", "run", "--format", "json")
        #expect(ran.status == 0 && ran.output.contains("validContacts"))
        #expect(try waiting(escrow).isEmpty)
        #expect(try escrow.entries("run-intent").count == 1)
        #expect(try escrow.run("queue", "run").output.isEmpty)
    }

    /// The answer is kept for what waits, and for nothing else.
    @Test func onceIsOnceAlsoForWhatWaits() throws {
        let escrow = try PreferencesTests.escrow(Self.wait, device: Self.unplugged)
        var main: Int32 = -1
        var side: Int32 = -1
        try #require(openpty(&main, &side, nil, nil, nil) == 0)
        defer { close(main) }
        let process = Process()
        process.executableURL = Escrow.program
        process.arguments = ["run", "phone-check", "--app", PreferencesTests.app]
        process.environment = ProcessInfo.processInfo.environment.merging(["ESCROW_HOME": escrow.home.path]) {
            $1
        }
        process.currentDirectoryURL = Escrow.root
        let terminal = FileHandle(fileDescriptor: side, closeOnDealloc: false)
        process.standardInput = terminal
        process.standardError = terminal
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        close(side)
        var said: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        var hasAnswered = false
        while true {
            let count = read(main, &buffer, buffer.count)
            guard count > 0 else { break }
            said += buffer.prefix(count)
            // What was typed before the question was seen is no answer to it.
            if !hasAnswered, String(decoding: said, as: UTF8.self).contains("allow?") {
                hasAnswered = write(main, "once\n", 5) == 5
            }
        }
        process.waitUntilExit()
        #expect(process.terminationStatus == 75, "\(String(decoding: said, as: UTF8.self))")
        // What the question would warn of now is told where the answer is used: the wall was lowered since.
        let device = try escrow.write("device.json", Self.plugged)
        try escrow.configure(
            #"{"device": {"standIn": "\#(device)"}, "loweredWalls": ["hostname-namespace"]}"#)
        let ran = try escrow.run("queue", "run")
        #expect(ran.status == 0)
        #expect(
            ran.words.contains("warning  this run goes without the wall hostname-namespace")
                && ran.words.contains("allowed once by your answer"))
        #expect(try escrow.entries("run-intent").count == 1)
        // The next one is asked about again.
        #expect(try run(escrow).status == 11)
    }

    @Test func whatIsLetGoIsNotRun() throws {
        let escrow = try escrow()
        #expect(try run(escrow).status == 75)
        let id = try #require(try waiting(escrow).first?["id"] as? String)
        #expect(try escrow.run("queue", "drop", id).status == 0)
        #expect(try escrow.run("queue", "drop", id).status == 64)
        _ = try escrow.write("device.json", Self.plugged)
        #expect(try escrow.run("queue", "run").output.isEmpty)
    }

    @Test func whatWaitedOutlivesTheProcessThatHeldIt() throws {
        let escrow = try escrow()
        let (process, _, _) = try start(
            escrow, "run", "phone-check", "--app", PreferencesTests.app, "--wait")
        try untilHeld(escrow)
        // What a process holds is its own: nobody else runs it.
        #expect(try escrow.run("queue", "run").output.isEmpty)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        let left = try waiting(escrow)
        #expect(left.count == 1 && left[0]["held"] as? Bool == false)
        _ = try escrow.write("device.json", Self.plugged)
        #expect(try escrow.run("queue", "run").status == 0)
        #expect(try escrow.entries("run-intent").count == 1)
    }

    @Test func anAppJustGetsItsAnswerLater() throws {
        let escrow = try escrow()
        let (process, input, output) = try start(escrow, "host", "--stdio")
        try input.fileHandleForWriting.write(
            contentsOf: Data(
                (#"{"id":1,"run":{"app":"\#(PreferencesTests.app)","compute":"phone-check"}}"# + "\n").utf8))
        try untilHeld(escrow)
        _ = try escrow.write("device.json", Self.plugged)
        var text = ""
        while !text.contains("\"id\":1") || !text.hasSuffix("\n") {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { break }
            text += String(decoding: piece, as: UTF8.self)
        }
        #expect(text.contains(#"{"id":1,"result":"#))
        kill(process.processIdentifier, SIGTERM)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(try waiting(escrow).isEmpty)
    }

    /// The same asked for twice is two answers, where the decision is one that stands.
    @Test func twoThatAskForTheSameBothGetTheirAnswer() throws {
        let escrow = try escrow()
        let (process, input, output) = try start(escrow, "host", "--stdio")
        let ask = { (id: Int) in
            #"{"id":\#(id),"run":{"app":"\#(PreferencesTests.app)","compute":"phone-check"}}"# + "\n"
        }
        try input.fileHandleForWriting.write(contentsOf: Data((ask(1) + ask(2)).utf8))
        // One entry, held twice; the file says so.
        let queue = escrow.home.appending(path: "queue.json")
        let holder = /"holders": *\[([0-9, \n]*)\]/
        func places() -> Int {
            let text = (try? String(contentsOf: queue, encoding: .utf8)) ?? ""
            let numbers = text.firstMatch(of: holder)?.1.split { !$0.isNumber } ?? []
            return numbers.count { $0 == "\(process.processIdentifier)" }
        }
        while process.isRunning, places() < 2 {}
        #expect(places() == 2)
        #expect(try waiting(escrow).count == 1)
        _ = try escrow.write("device.json", Self.plugged)
        var text = ""
        while !(text.contains("\"id\":1,") && text.contains("\"id\":2,")) || !text.hasSuffix("\n") {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { break }
            text += String(decoding: piece, as: UTF8.self)
        }
        #expect(text.contains(#"{"id":1,"result":"#) && text.contains(#"{"id":2,"result":"#), "\(text)")
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(try waiting(escrow).isEmpty)
        #expect(try escrow.entries("run-intent").count == 2)
    }

    @Test func anAppCannotTellARuleFromAnAnswer() throws {
        let escrow = try PreferencesTests.escrow(#"{"id": "f", "effect": "forbid"}"#)
        let asked = try escrow.run(
            "host", "--stdio",
            input: #"{"id":1,"run":{"app":"org.example.notes","compute":"phone-check"}}"# + "\n")
        // The app may be gone before the answer is; what it reads, if anything, names no rule.
        #expect(!asked.output.contains("E111"))
        let (process, input, output) = try start(escrow, "host", "--stdio")
        try input.fileHandleForWriting.write(
            contentsOf: Data(
                (#"{"id":1,"run":{"app":"org.example.notes","compute":"phone-check"}}"# + "\n").utf8))
        var text = ""
        while !text.contains("\"id\":1") || !text.hasSuffix("\n") {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { break }
            text += String(decoding: piece, as: UTF8.self)
        }
        #expect(
            text.hasSuffix(
                #"{"id":1,"error":{"code":"E0701","status":10,"message":"the individual does not allow this dataflow"}}"#
                    + "\n"))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
