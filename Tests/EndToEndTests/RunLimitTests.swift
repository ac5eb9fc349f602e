import Foundation
import Testing

/// Each limit from manifest or configuration to message and ledger: status 15, the limit, its value, how far it came.
@Suite(.serialized) struct RunLimitTests {
    /// A home with twelve photos, or one of 2 MiB, and a plugin that wants too much of a chosen thing.
    static func prepare(_ configuration: String?, large: Bool = false) throws -> Escrow {
        let escrow = try Escrow(copying: try (large ? Self.large : Self.small).get())
        if let configuration { _ = try escrow.write("home/config.json", configuration) }
        return escrow
    }

    private static let small = Result { try made(large: false) }
    private static let large = Result { try made(large: true) }

    private static func made(large: Bool) throws -> Escrow {
        let escrow = try Escrow(trusting: false)
        let photos = escrow.folder.appending(path: "photos")
        let samples = Escrow.root.appending(path: "samples/photos")
        if large {
            try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
            var image = try Data(contentsOf: samples.appending(path: "IMG_0001.jpg"))
            image.append(Data(count: 2 << 20))
            try image.write(to: photos.appending(path: "large.jpg"))
        } else {
            try FileManager.default.copyItem(at: samples, to: photos)
        }
        #expect(try escrow.run("source", "add", "photos", photos.path).status == 0)
        #expect(try escrow.run("key", "new", "tester").status == 0)
        let keys = try #require(
            try escrow.run("key", "list", "--format", "json").json()["keys"] as? [[String: Any]])
        let key = try #require(keys.first?["publicKey"] as? String)
        #expect(try escrow.run("trust", "add", "org.escrow.tests.*", key).status == 0)
        let package = escrow.folder.appending(path: "hungry.escrow").path
        let packed = try escrow.run(
            "plugin", "pack", Escrow.root.appending(path: "Tests/EndToEndTests/Hungry").path, "--key",
            "tester",
            "--output", package)
        try #require(packed.status == 0, "\(packed.words)")
        #expect(try escrow.run("plugin", "install", package, "--yes").status == 0)
        #expect(
            try escrow.run("grant", "allow", "--app", "org.example.test", "--plugin", "hungry").status == 0)
        return escrow
    }

    static let plain = Result { try prepare(nil) }

    func run(_ escrow: Escrow, _ mode: String, sql: String? = nil) throws -> Escrow.Outcome {
        try escrow.run(
            "run", "hungry", "--app", "org.example.test", "--param", "mode=\(mode)", "--format", "json",
            "--quiet", "--sql", sql ?? "SELECT asset, id FROM Photos LIMIT 5")
    }

    /// The record of the last run's end.
    func end(_ escrow: Escrow) throws -> [String: Any] {
        let entries = try #require(
            try escrow.run("ledger", "list", "--last", "1", "--format", "json").json()["entries"]
                as? [[String: Any]])
        #expect(entries.first?["kind"] as? String == "run-end")
        return try #require(entries.first?["fields"] as? [String: Any])
    }

    /// A message with its milliseconds and its use of time and memory taken out: they differ from run to run.
    func steady(_ words: String) -> String {
        words.replacing(/, [0-9.]+ m?s after start/, with: ", T after start")
            .replacing(/, [0-9.]+ s of processor time and [0-9]+ MiB of memory/, with: ", U")
    }

    @Test(arguments: [
        ("sleep", "E0530", "2 s of time", "0 rows (0 bytes), 0 bytes of output", "limits.wallSeconds"),
        (
            "spin", "E0531", "1 s of processor time", "0 rows (0 bytes), 0 bytes of output",
            "limits.cpuSeconds"
        ),
        ("threads", "E0535", "4 threads", "0 rows (0 bytes), 0 bytes of output", "limits.processes"),
        ("log", "E0534", "1 KiB of log", "0 rows (0 bytes), 0 bytes of output", "limits.logKiB"),
        ("memory", "E0532", "256 MiB of memory", "0 rows (0 bytes), 0 bytes of output", "limits.memoryMiB"),
    ])
    func theManifestsLimitEndsTheRun(
        mode: String, code: String, value: String, progress: String, member: String
    ) throws {
        let escrow = try mode == "sleep" ? Self.prepare(#"{"limits":{"wallSeconds":2}}"#) : Self.plain.get()
        let outcome = try run(escrow, mode)
        #expect(outcome.status == 15)
        #expect(outcome.output.isEmpty)
        let help =
            mode == "sleep"
            ? "\"wallSeconds\" in the limits of config.json" : "\(member) in the plugin's manifest"
        #expect(
            steady(outcome.words) == """
                error[\(code)]: hungry 1.0.0 was stopped: it reached its limit of \(value), T after start; nothing was returned
                note: it came to \(progress), U
                help: let the query yield less, or raise \(help)

                """)
        let end = try end(escrow)
        #expect(end["status"] as? String == "limit")
        #expect(end["reason"] as? String == "it reached its limit of \(value)")
        #expect(end["code"] as? String == code && end["exit"] as? Int == 15)
        #expect(end["capped"] as? [String] == (mode == "sleep" ? ["wallSeconds"] : []))
        let limits = try #require(end["limits"] as? [String: Int])
        #expect(limits["rows"] == 10 && limits["assets"] == 100 && limits["outputMiB"] == 1)
        #expect(limits["wallSeconds"] == (mode == "sleep" ? 2 : 300))
        let used = try #require(end["used"] as? [String: Int])
        #expect(Set(used.keys) == ["wallMs", "cpuMs", "memoryKiB", "outputBytes", "logBytes"])
        #expect(end["whenMs"] is Int)
    }

    @Test func outputAndItsProgressAreCounted() throws {
        let outcome = try run(Self.plain.get(), "output")
        #expect(outcome.status == 15)
        #expect(
            outcome.words.contains(
                "error[E0533]: hungry 1.0.0 was stopped: it reached its limit of 1 MiB of output, "))
        let used = try #require(try end(Self.plain.get())["used"] as? [String: Int])
        #expect(try #require(used["outputBytes"]) > 1 << 20)
    }

    @Test func oneRowTooManyEndsTheRunAndTheLimitItselfDoesNot() throws {
        let escrow = try Self.plain.get()
        let all = "SELECT asset, id FROM Photos LIMIT"
        let exact = try run(escrow, "rows", sql: "\(all) 10")
        #expect(exact.status == 0 && exact.output == "{\"n\":10}\n", "\(exact.words)")
        let slow = try run(escrow, "one", sql: "\(all) 10")
        #expect(slow.status == 0 && slow.output == "{\"n\":10}\n", "\(slow.words)")
        let more = try run(escrow, "one", sql: "\(all) 11")
        #expect(more.status == 15)
        #expect(more.output.isEmpty)
        #expect(
            more.words.contains(
                "error[E0537]: hungry 1.0.0 was stopped: it reached its limit of 10 rows, "))
        #expect(more.words.contains("\nnote: it came to 10 rows ("))
        #expect(more.words.contains("\nhelp: let the query yield less, or raise accepts.rows.max in the "))
        let end = try end(escrow)
        #expect(end["rows"] as? Int == 10 && end["status"] as? String == "limit")
    }

    @Test func assetsAndTheirBytesAreCounted() throws {
        let capped = try Self.prepare(#"{"limits":{"assets":3}}"#)
        let few = try run(capped, "assets")
        #expect(few.status == 15)
        #expect(
            few.words.contains("error[E0536]: hungry 1.0.0 was stopped: it reached its limit of 3 assets, "))
        #expect(few.words.contains(", 3 assets ("))
        #expect(few.words.hasSuffix("or raise \"assets\" in the limits of config.json\n"))
        #expect(try end(capped)["assets"] as? Int == 3)
        let heavy = try Self.prepare(nil, large: true)
        let large = try run(heavy, "assets")
        #expect(large.status == 15)
        #expect(
            large.words.contains(
                "error[E0539]: hungry 1.0.0 was stopped: it reached its limit of 1 MiB of assets, "))
        let end = try end(heavy)
        #expect(end["assets"] as? Int == 0 && end["assetBytes"] as? Int == 0 && end["rows"] as? Int == 1)
    }

    @Test func bytesOfRowsAreCountedInTestsToo() throws {
        let escrow = try Self.plain.get()
        let folder = escrow.folder.appending(path: "hungry-\(UUID().uuidString)")
        try FileManager.default.copyItem(
            at: Escrow.root.appending(path: "Tests/EndToEndTests/Hungry"), to: folder)
        let cases = folder.appending(path: "Tests/cases")
        try FileManager.default.createDirectory(at: cases, withIntermediateDirectories: true)
        let row = "[null,\"\(String(repeating: "x", count: 300_000))\"]"
        let text =
            "{\"name\":\"large rows\",\"rows\":[\(row),\(row),\(row),\(row)],\"expect\":{\"result\":{\"n\":4}}}"
        try Data(text.utf8).write(to: cases.appending(path: "large.json"))
        let tested = try escrow.run("plugin", "test", folder.path)
        #expect(tested.status != 0)
        #expect(
            tested.everything.contains(
                "error[E0538]: hungry 1.0.0 was stopped: it reached its limit of 1 MiB of rows, "),
            "\(tested.everything)")
        #expect(tested.everything.contains("it came to "))
    }

    @Test func theSheetTellsTheLimitsThatHold() throws {
        let escrow = try Self.prepare(#"{"limits":{"wallSeconds":2,"memoryMiB":512}}"#)
        let dry = try escrow.run(
            "run", "hungry", "--app", "org.example.test", "--param", "mode=rows", "--dry-run")
        #expect(
            dry.output.contains(
                "\n  limits       2 s (your cap), 256 MiB, no network of its own, no files but its interpreter's\n"
            ),
            "\(dry.output)")
    }

    @Test func theMinimumOfAPluginAndACapBelowItAreToldApart() throws {
        let escrow = try Self.prepare(#"{"limits":{"rows":4}}"#)
        let outcome = try run(escrow, "rows")
        #expect(outcome.status == 15)
        #expect(outcome.words.contains("it reached its limit of 4 rows"))
        #expect(try end(escrow)["capped"] as? [String] == ["rows"])
    }

    @Test(arguments: [
        (
            "{\"limits\": {\"wallSeconds\": 0}}", "wallSeconds is not a whole number from 1 to 600", "1:28",
            "30"
        ),
        (
            "{\"limits\": {\"memoryMiB\": 1.5}}", "memoryMiB is not a whole number from 1 to 2048", "1:26",
            "128"
        ),
        (
            "{\"limits\":\n {\"rows\": \"9\"}}", "rows is not a whole number from 1 to 100000000", "2:11",
            "1000000"
        ),
        ("{\"limits\": {\"wallseconds\": 9}}", "there is no limit \"wallseconds\"", "1:13", "wallSeconds, "),
        ("{\"limits\": [9]}", "it is no object", "1:12", "wallSeconds"),
    ])
    func aCapThatIsNotUnderstoodStopsEveryRun(
        configuration: String, what: String, place: String, help: String
    ) throws {
        let escrow = try Escrow(trusting: false)
        let file = try escrow.write("home/config.json", configuration)
        let outcome = try escrow.run("plugin", "list")
        #expect(outcome.status == 1)
        #expect(
            outcome.words.hasPrefix(
                "error[E0019]: a limit of the configuration is not understood: \(what)\n  --> \(file):\(place)\nhelp: "
            ),
            "\(outcome.words)")
        #expect(outcome.words.contains(help))
    }

    @Test func theDoctorListsLimitsAndCaps() throws {
        let escrow = try Escrow(trusting: false)
        _ = try escrow.write("home/config.json", #"{"limits":{"cpuSeconds":7}}"#)
        let report = try escrow.run("doctor", "--format", "json").json()
        let limits = try #require(report["limits"] as? [[String: Any]])
        #expect(limits.count == 10)
        let processor = try #require(limits.first { $0["name"] as? String == "cpuSeconds" })
        #expect(processor["cap"] as? Int == 7 && processor["exact"] as? Bool == false)
        #expect(limits.filter { $0["cap"] is Int }.count == 1)
        #expect(try escrow.run("doctor").output.contains("cpuSeconds   10          300        7 "))
    }

    @Test func aPersonReadsTheEndOfARunInTheLedger() throws {
        let escrow = try RogueTests.prepare()
        let stopped = try escrow.run(
            "run", "rogue", "--app", "org.example.test", "--param", "mode=socket", "--quiet")
        #expect(stopped.status == 14)
        let fields = try end(escrow)
        let when = try #require(fields["whenMs"] as? Int)
        #expect(
            stopped.words.hasPrefix(
                "error[E0511]: rogue 1.0.0 was stopped: it called socket(AF_INET, SOCK_STREAM), \(when) ms after start; nothing was returned\n"
            ))
        let call = try #require(fields["syscall"] as? [String: Any])
        #expect(call["name"] as? String == "socket")
        #expect(call["arguments"] as? [String] == ["AF_INET", "SOCK_STREAM"])
        #expect(try #require(fields["address"] as? String).hasPrefix("0x4"))
        let shown = try escrow.run("ledger", "show", "last").output
        #expect(shown.contains("    status  violation\n    reason  it called socket(AF_INET, SOCK_STREAM)\n"))
        #expect(shown.contains("    limits  wallSeconds 60, cpuSeconds 1, memoryMiB 64, "))
        #expect(
            try escrow.run("ledger", "list", "--last", "1").output
                .contains("reason it called socket(AF_INET, SOCK_STREAM), whenMs \(when)"))
    }
}
