import EscrowConsent
import EscrowDiagnostics
import EscrowJSON
import EscrowManifest
import Foundation
import Testing

/// What a grant is bound to of what a plugin sends and is told: wider asks again and says what is new, narrower does not.
@Suite struct ReachTests {
    let scratch = Scratch()
    var store: GrantStore { GrantStore(directory: scratch.path) }

    static let text = """
        {
          "egress": [{
            "name": "forecast", "why": "fetch the forecast", "method": "POST",
            "url": "https://api.example.org/v1/forecast",
            "fields": { "day": { "in": "query", "type": "integer", "min": 0, "max": 6 } },
            "response": { "type": "application/json", "maxBytes": 1000 }, "maxCalls": 2
          }],
          "parameters": {
            "region": { "type": "text", "oneOf": ["DE", "FR"] },
            "count": { "type": "integer", "min": 1, "max": 10, "default": 5 }
          }
        }
        """

    static func reach(_ change: (String, String)? = nil) throws -> Reach {
        var text = Self.text
        if let change {
            try #require(text.contains(change.0), "\(change.0)")
            text = text.replacing(change.0, with: change.1)
        }
        return try Reach(JSONParser.parse(Array(text.utf8)), file: "reach.json")
    }

    /// The dataflow of a version; its sentence is in no grant's way.
    func dataflow(_ version: String, _ change: (String, String)? = nil) throws -> DataflowDescription {
        let reach = try Self.reach(change)
        return DataflowDescription.sample.with {
            $0.plugin.version = version
            $0.plugin.manifestDigest = "sha256:\(version)"
            $0.egress = ["the sentence of \(version)"]
            $0.parameters = ["region", "count"]
            $0.reach = reach
        }
    }

    @Test(arguments: [
        (
            #""in": "query""#, #""in": "body""#,
            #"forecast sends day in the body as "day", it was in the query as "day""#
        ),
        (
            #""in": "query""#, #""in": "query", "as": "d""#,
            #"forecast sends day in the query as "d", it was in the query as "day""#
        ),
        (
            #""max": 6"#, #""max": 60"#,
            "forecast sends day as a whole number from 0 to 60, it was a whole number from 0 to 6"
        ),
        (
            #""maxBytes": 1000"#, #""maxBytes": 2000"#,
            "most bytes that forecast may answer is now 2000, it was 1000"
        ),
        (
            #""type": "application/json""#, #""type": "text/plain""#,
            "forecast is answered with text/plain, it was application/json"
        ),
        (
            "fetch the forecast", "sell the place",
            "the reason for forecast now reads: sell the place"
        ),
        (#""maxCalls": 2"#, #""maxCalls": 3"#, "most calls of forecast is now 3, it was 2"),
        (
            #"["DE", "FR"]"#, #"["DE", "FR", "IT"]"#,
            #"it may be told as region one of "DE", "FR", "IT", it was one of "DE", "FR""#
        ),
        (
            #""min": 1, "max": 10"#, #""min": 1, "max": 11"#,
            "it may be told as count a whole number from 1 to 11, it was a whole number from 1 to 10"
        ),
    ])
    func aVersionThatWidensItAsksAgain(part: String, wider: String, difference: String) throws {
        let grant = try store.allow(try dataflow("1.2.0"), .init(reason: .prompt))
        let decision = try store.decide(for: dataflow("1.3.0", (part, wider)))
        #expect(decision.state == .notDetermined && decision.reason == .changedPlugin)
        #expect(
            decision.why
                == "version 1.3.0 is more than 1.2.0, which you allowed on \(grant.createdAt.prefix(10)): \(difference)"
        )
    }

    @Test(arguments: [
        (#""max": 6"#, #""max": 5"#), (#""maxBytes": 1000"#, #""maxBytes": 10"#),
        (#""maxCalls": 2"#, #""maxCalls": 1"#), (#"["DE", "FR"]"#, #"["FR"]"#),
        (#""min": 1, "max": 10"#, #""min": 2, "max": 9"#),
    ])
    func aVersionThatNarrowsItDoesNot(part: String, narrower: String) throws {
        try store.allow(try dataflow("1.2.0"), .init(reason: .prompt))
        #expect(try store.claim(dataflow("1.3.0", (part, narrower))).state == .authorized)
        // What was allowed first is still what is allowed.
        #expect(try store.decide(for: dataflow("1.4.0")).state == .authorized)
    }

    @Test func itComesBackFromTheFileAndFromAnExport() throws {
        let given = try store.allow(try dataflow("1.2.0"), .init(reason: .prompt))
        #expect(try store.list() == [given])
        #expect(try store.read(exported: store.export(), name: "x").first?.reach == Self.reach())
        let path = scratch.path + "/grants.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacingOccurrences(of: "\"maxCalls\"", with: "\"mostCalls\"").write(
            toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: Diagnostic(.grantsUnreadable, "")) { _ = try store.list() }
    }

    /// A grant of a time when the bounds were not kept.
    private func makeOld(_ description: DataflowDescription) throws {
        let old = description.with {
            $0.reach = nil
            $0.files = nil
        }
        try store.allow(old, .init(reason: .prompt))
        #expect(try store.list().first?.reach == nil)
    }

    @Test func anOldGrantHoldsForItsVeryManifestInWhateverWords() throws {
        let description = try dataflow("1.2.0")
        try makeOld(description)
        #expect(try store.decide(for: description).state == .authorized)
        // At its next use it learns its bounds, and from then on narrower versions keep it.
        #expect(try store.claim(description).state == .authorized)
        #expect(try store.list().first?.reach == Self.reach())
        #expect(try store.list().first?.useCount == 1)
        #expect(
            try store.decide(for: dataflow("1.3.0", (#""maxCalls": 2"#, #""maxCalls": 1"#))).state
                == .authorized)
    }

    @Test func anOldGrantIsAskedForAnewWhereAnotherVersionSends() throws {
        try makeOld(try dataflow("1.2.0"))
        let decision = try store.decide(for: dataflow("1.3.0"))
        #expect(decision.reason == .changedPlugin)
        #expect(
            decision.why.hasSuffix(
                "the bounds of what it sends and is told were not kept when you allowed it"))
        // What sends nothing and is told nothing has no such bounds.
        let silent = try Reach(JSONParser.parse(Array("{}".utf8)), file: "reach.json")
        func quiet(_ version: String) -> DataflowDescription {
            DataflowDescription.sample.with {
                $0.app = "org.example.other"
                $0.plugin.manifestDigest = version
                $0.parameters = []
            }
        }
        try store.allow(quiet("a"), .init(reason: .prompt))
        #expect(try store.decide(for: quiet("b").with { $0.reach = silent }).state == .authorized)
    }

    private func opening(_ version: String, _ files: [String]?) throws -> DataflowDescription {
        try dataflow(version).with { $0.files = files }
    }

    @Test func aVersionThatOpensOtherFilesAsksAgain() throws {
        try store.allow(opening("1.2.0", ["image/jpeg", "image/png"]), .init(reason: .prompt))
        #expect(try store.decide(for: opening("1.3.0", ["image/png"])).state == .authorized)
        #expect(try store.decide(for: opening("1.3.0", [])).state == .authorized)
        let wider = try store.decide(for: opening("1.3.0", ["application/pdf", "image/png"]))
        #expect(wider.reason == .changedPlugin)
        #expect(wider.why.hasSuffix("it also opens files that are application/pdf"))
    }

    @Test func anOldGrantIsAskedForAnewWhereAnotherVersionOpensFiles() throws {
        try store.allow(opening("1.2.0", nil), .init(reason: .prompt))
        #expect(try store.decide(for: opening("1.2.0", ["image/png"])).state == .authorized)
        #expect(try store.decide(for: opening("1.3.0", [])).state == .authorized)
        let unknown = try store.decide(for: opening("1.3.0", ["image/png"]))
        #expect(unknown.why.hasSuffix("the kinds of files that it opens were not kept when you allowed it"))
        // At its next use it learns them.
        #expect(try store.claim(opening("1.2.0", ["image/png"])).state == .authorized)
        #expect(try store.decide(for: opening("1.3.0", ["image/png"])).state == .authorized)
    }
}
