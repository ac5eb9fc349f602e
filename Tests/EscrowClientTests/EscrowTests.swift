import EscrowClient
import EscrowJSON
import Glibc
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct EscrowTests {
    private struct Known: Decodable, Sendable, Equatable { let known: Bool }
    private struct Row: Decodable, Sendable, Equatable {
        let name: String
        let count: Int?
    }

    private func code(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch let error as EscrowError {
            return error.code
        } catch {
            return "\(type(of: error))"
        }
    }

    private static let greet = #"say({"escrow-host": 1, "version": "0.1.0"})"# + "\n"

    @Test func `a request is sent as written, and its result decoded`() async throws {
        guard
            let host = FakeHost(
                Self.greet + """
                    request = hear()
                    note("note", json.dumps([sys.argv[1:], request]))
                    say({"id": request["id"], "result": {"value": {"known": True}}})
                    hear()
                    """)
        else { return }
        let escrow = try await Escrow.connect(
            app: "org.example.notes", home: "/nowhere/home", program: host.program)
        #expect(escrow.hostVersion == "0.1.0")
        let answer: Known = try await escrow.run(
            "SELECT 1", compute: "phone-check", bindings: ["n": 1, "b": nil], arguments: ["k": "v"])
        #expect(answer == Known(known: true))
        #expect(
            host.noted("note") == #"[["host", "--stdio", "--home", "/nowhere/home"], "#
                + #"{"id": 1, "run": {"app": "org.example.notes", "sql": "SELECT 1", "#
                + #""bindings": {"b": null, "n": 1}, "compute": "phone-check", "arguments": {"k": "v"}}}]"#)
        await escrow.close()
    }

    @Test func `tables, texts, bytes and states come as what they are`() async throws {
        guard
            let host = FakeHost(
                Self.greet + """
                    table = {"value": [["a", 1], ["b", None]], "columns": ["name", "count"]}
                    for answer in [table, {"value": "text"}, {"bytes": "AP8=", "mediaType": "image/png"}]:
                        say({"id": hear()["id"], "result": answer})
                    request = hear()
                    say({"id": request["id"], "status": "authorized" if "status" in request else "denied"})
                    say({"id": hear()["id"], "result": {"value": 5}})
                    say({"id": hear()["id"], "result": {"bytes": "", "mediaType": "a/b"}})
                    hear()
                    """)
        else { return }
        let escrow = try await Escrow.connect(app: "a", program: host.program)
        #expect(
            try await escrow.run(compute: "c", as: [Row].self)
                == [Row(name: "a", count: 1), Row(name: "b", count: nil)])
        #expect(try await escrow.run(compute: "c", as: String.self) == "text")
        let image = try await escrow.runBytes(compute: "c")
        #expect(image.bytes == [0, 255] && image.mediaType == "image/png")
        #expect(try await escrow.status(compute: "c") == .authorized)
        #expect(await code { _ = try await escrow.runBytes(compute: "c") } == "E1003")
        #expect(await code { _ = try await escrow.run(compute: "c", as: Int.self) } == "E1003")
        await escrow.close()
        _ = host.folder
    }

    @Test func `live location is results one after the other, until nobody listens any more`() async throws {
        guard
            let host = FakeHost(
                Self.greet + """
                    request = hear()
                    for known in [True, False, True]:
                        say({"id": request["id"], "result": {"value": {"known": known}}})
                    cancel = hear()
                    say({"id": request["id"], "result": {"value": {"known": True}}})
                    say({"id": request["id"], "error": {"code": "E1005", "status": 64, "message": "withdrawn"}})
                    note("note", json.dumps([request, cancel]))
                    again = hear()
                    say({"id": again["id"], "error": {"code": "E1372", "status": 11, "message": "undecided"}})
                    say({"id": hear()["id"], "status": "authorized"})
                    hear()
                    """)
        else { return }
        let escrow = try await Escrow.connect(app: "org.example.map", program: host.program)
        let request = LocationPrivacyRequest.create(server: "en.wikipedia.org", type: .nearby)
        var answers: [Bool] = []
        for try await answer in request.updates(by: escrow, mode: .significant, as: Known.self) {
            answers.append(answer.known)
            if answers.count == 3 { break }
        }
        #expect(answers == [true, false, true])
        // The host hears that nobody listens any more.
        while host.noted("note") == nil { await Task.yield() }
        #expect(
            await code {
                for try await _ in request.updates(by: escrow, as: Known.self) { Issue.record("a result") }
            } == "E1372")
        // What came after the end was nobody's, and the connection goes on.
        #expect(try await escrow.status(compute: "c") == .authorized)
        #expect(
            host.noted("note") == #"[{"id": 1, "follow": {"app": "org.example.map", "compute": "-", "#
                + #""place": {"server": "en.wikipedia.org", "service": "nearby", "accuracy": "neighbourhood"}}, "#
                + #""mode": "significant"}, {"id": 2, "cancel": 1}]"#)
        await escrow.close()
        let ended = await code {
            for try await _ in request.updates(by: escrow, as: Known.self) { Issue.record("a result") }
        }
        #expect(ended == "E1009")
    }

    @Test func `requests run at once, and answers find theirs in any order`() async throws {
        guard
            let host = FakeHost(
                Self.greet + """
                    requests = [hear() for _ in range(20)]
                    for request in reversed(requests):
                        say({"id": request["id"], "result": {"value": request["run"]["arguments"]["n"]}})
                    hear()
                    """)
        else { return }
        let escrow = try await Escrow.connect(app: "a", program: host.program)
        let answers = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in 0..<20 {
                group.addTask {
                    let answer: Int = try await escrow.run(
                        compute: "c", arguments: ["n": .integer(Int64(number))])
                    return (number, answer)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 20 && answers.allSatisfy { $0.0 == $0.1 })
        await escrow.close()
        _ = host.folder
    }

    @Test func `a refusal comes with its code, and the connection goes on`() async throws {
        guard
            let host = FakeHost(
                Self.greet + """
                    for code, status in [("E0702", 11), ("E0701", 10), ("E0450", 13), ("E0541", 16)]:
                        say({"id": hear()["id"], "error": {"code": code, "status": status, "message": "m"}})
                    hear()
                    """)
        else { return }
        let escrow = try await Escrow.connect(app: "a", program: host.program)
        for (code, status, kind) in [
            ("E0702", Int32(11), EscrowError.Kind.notDetermined), ("E0701", 10, .denied),
            ("E0450", 13, .refused),
            ("E0541", 16, .failed),
        ] {
            do {
                _ = try await escrow.run(compute: "c", as: Int.self)
                Issue.record("a refusal gave a result")
            } catch let error as EscrowError {
                #expect(error.code == code && error.status == status && error.kind == kind)
                #expect(error.description == "\(code): m")
            }
        }
        #expect(await code { _ = try await escrow.run(compute: "c d", as: Int.self) } == "E1006")
        await escrow.close()
        _ = host.folder
    }

    @Test func `cancelling a task withdraws its request, and a late answer hurts nobody`() async throws {
        guard
            let host = FakeHost(
                Self.greet + """
                    asked = [hear(), hear()]
                    first = next(request for request in asked if "run" in request)
                    say({"id": next(request for request in asked if "status" in request)["id"], "status": "authorized"})
                    note("note", json.dumps(hear()["cancel"] == first["id"]))
                    say({"id": first["id"], "error": {"code": "E1005", "status": 64, "message": "m"}})
                    say({"id": hear()["id"], "result": {"value": 2}})
                    hear()
                    """)
        else { return }
        let escrow = try await Escrow.connect(app: "a", program: host.program)
        let task = Task { try await escrow.run(compute: "c", as: Int.self) }
        // Answered when the host has heard both.
        #expect(try await escrow.status(compute: "c") == .authorized)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await escrow.run(compute: "c", as: Int.self) == 2)
        #expect(host.noted("note") == "true")
        await escrow.close()
    }

    @Test(arguments: [
        ("os._exit(3)", "E1009"), ("os.kill(os.getpid(), signal.SIGKILL)", "E1009"),
        (#"print("not json", flush=True); hear()"#, "E1009"),
        (#"say({"id": 99, "result": {"value": 1}}); hear()"#, "E1009"),
        (#"say({"id": 1, "status": "denied"}); hear()"#, "E1009"),
        (#"say({"error": {"code": "E0001", "status": 1, "message": "m"}})"#, "E0001"),
    ]) func `a host that dies or breaks the protocol ends every request`(act: String, expected: String)
        async throws
    {
        guard let host = FakeHost(Self.greet + "hear()\n" + act) else { return }
        let escrow = try await Escrow.connect(app: "a", program: host.program)
        #expect(await code { _ = try await escrow.run(compute: "c", as: Int.self) } == expected)
        #expect(await code { _ = try await escrow.run(compute: "c", as: Int.self) } == expected)
        await escrow.close()
        await escrow.close()
        _ = host.folder
    }

    @Test(arguments: [
        "", #"say({"escrow-host": 2, "version": "9"}); hear()"#,
        #"say({"id": 1, "status": "denied"}); hear()"#,
        "sys.exit(1)",
    ]) func `what does not greet is no host`(script: String) async throws {
        guard let host = FakeHost(script) else { return }
        #expect(await code { _ = try await Escrow.connect(app: "a", program: host.program) } == "E1008")
        _ = host.folder
    }

    @Test func `a program that is not there is no host`() async throws {
        #expect(await code { _ = try await Escrow.connect(app: "a", program: "/nowhere/escrow") } == "E1008")
    }

    /// In a process of its own, since others read the environment meanwhile.
    @Test func `the environment names the program`() async throws {
        guard let host = FakeHost(Self.greet + "hear()") else { return }
        await #expect(processExitsWith: .success) { [program = host.program as String] in
            setenv("ESCROW_HOST_PATH", "/nowhere/escrow", 1)
            await #expect(throws: EscrowError.self) { _ = try await Escrow.connect(app: "a") }
            setenv("ESCROW_HOST_PATH", program, 1)
            let escrow = try await Escrow.connect(app: "a")
            #expect(escrow.hostVersion == "0.1.0")
            await escrow.close()
        }
        _ = host.folder
    }

    @Test func `the host gets no open file of the app's`() async throws {
        // It stays open across exec. Its number is one that a host would not use by itself.
        let first = open("/dev/null", O_RDONLY)
        let file = fcntl(first, F_DUPFD, 900)
        close(first)
        try #require(file >= 900)
        defer { close(file) }
        guard
            let host = FakeHost(
                Self.greet + """
                    import os
                    note("note", "open" if os.path.exists("/proc/self/fd/\(file)") else "closed")
                    hear()
                    """)
        else { return }
        let escrow = try await Escrow.connect(app: "a", program: host.program)
        await escrow.close()
        #expect(host.noted("note") == "closed")
    }

    @Test func `closing ends the host's stdin and waits for its end`() async throws {
        guard
            let host = FakeHost(
                Self.greet + """
                    while hear() is not None: pass
                    note("note", "ended")
                    """)
        else { return }
        let escrow = try await Escrow.connect(app: "a", program: host.program)
        await escrow.close()
        #expect(host.noted("note") == "ended")
        #expect(await code { _ = try await escrow.status(compute: "c") } == "E1009")
    }
}
