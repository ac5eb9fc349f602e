import Foundation
import Testing

/// What is told of the individual's places, from their rules to the bytes that a server gets.
@Suite(.timeLimit(.minutes(60))) struct LocationTests {
    let egress = EgressTests()

    /// Runs a plugin, and gives what its server got: the request lines.
    func lines(_ plugin: String, _ escrow: Escrow, _ server: StandIn) throws -> [String] {
        let before = try server.received().count
        let outcome = try escrow.run("run", plugin, "--app", "org.example.test", "--format", "json")
        try #require(outcome.status == 0, "\(outcome.words)")
        return try server.received().dropFirst(before).map {
            String(decoding: $0.prefix { $0 != 0x0D }, as: UTF8.self)
        }
    }

    @Test func aRuleMakesLessOfItAndWithoutItTheGrantCoversWhatItCovered() throws {
        let escrow = try egress.escrow("weather")
        let server = try StandIn(for: escrow)
        let town = try lines("weather", escrow, server)
        #expect(town.count == 1)
        // What was taken out of the answer is in the record, by its names.
        let id =
            try #require(
                try escrow.run("egress", "list", "--each", "--format", "json").json()["requests"]
                    as? [[String: Any]]
            ).first?["id"] as? String
        let record = try escrow.run("egress", "show", try #require(id))
        #expect(
            record.output.contains("headers    kept from the plugin: etag, set-cookie"), "\(record.output)")
        #expect(record.output.contains("left out   kept from the plugin: "), "\(record.output)")
        #expect(
            try escrow.run("location", "rule", "add", "--tell", "country", "--service", "weather").status == 0
        )
        let country = try lines("weather", escrow, server)
        // Oslo stands for Norway.
        #expect(country.count == 1 && country[0].contains("lat=59.9") && country[0] != town[0])
        #expect(
            try escrow.run(
                "location", "rule", "add", "--tell", "none", "--near", "60.37,5.27", "--within", "20000"
            ).status == 0)
        let silent = try escrow.run("run", "weather", "--app", "org.example.test")
        #expect(silent.status == 17 && silent.words.contains("[E0615]"), "\(silent.words)")
        #expect(try server.received().count == 2)
        for id in ["1", "2"] { #expect(try escrow.run("location", "rule", "remove", id).status == 0) }
        #expect(try lines("weather", escrow, server) == town)
    }

    /// A grant that was given while a rule told less does not cover more.
    @Test func whatIsToldMoreExactlyIsAskedAgain() throws {
        let escrow = try Escrow()
        #expect(try escrow.run("source", "add", "location", "samples/tracks").status == 0)
        #expect(
            try escrow.run("location", "rule", "add", "--tell", "country", "--app", "org.example.test").status
                == 0)
        try escrow.allow("weather")
        let server = try StandIn(for: escrow)
        #expect(try lines("weather", escrow, server).count == 1)
        #expect(try escrow.run("location", "rule", "remove", "1").status == 0)
        let asked = try escrow.run("run", "weather", "--app", "org.example.test")
        #expect(asked.status == 11, "\(asked.words)")
        #expect(try server.received().count == 1)
        try Data("{}".utf8).write(to: escrow.home.appending(path: "location.json"))
        let damaged = try escrow.run("run", "weather", "--app", "org.example.test")
        #expect(damaged.status == 1 && damaged.words.contains("[E1180]"), "\(damaged.words)")
    }

    /// The articles within a kilometre of the true place are among those around the masked one.
    @Test func theRightArticlesComeForTheTruePlace() throws {
        let escrow = try egress.escrow("nearby-articles")
        let server = try StandIn(for: escrow)
        var sent: Set<String> = []
        for _ in 0..<5 {
            let outcome = try escrow.run(
                "run", "nearby-articles", "--app", "org.example.test", "--format", "json")
            #expect(outcome.status == 0, "\(outcome.words)")
            // Both lie within a kilometre of where the track ends.
            for title in ["Nygård Lake (a sample article)", "Old Post Road (a sample article)"] {
                #expect(outcome.output.contains(title), "\(outcome.output)")
            }
            sent.formUnion(
                try server.received().map { String(decoding: $0.prefix { $0 != 0x0D }, as: UTF8.self) })
            #expect(try escrow.run("location", "reset").status == 0)
        }
        // New noise each time, and never the place itself. Masked places are written coarsely, so
        // two of five may be equal.
        #expect(sent.count > 1)
        #expect(!sent.contains { $0.contains("gscoord=60.37%7C5.27&") })
    }

    @Test func whoLooksIsShownWhatMasksMakeOfTheirPlacesAndWhatIsFoundOut() throws {
        let escrow = try egress.escrow("nearby-articles")
        let server = try StandIn(for: escrow)
        _ = try lines("nearby-articles", escrow, server)
        let drawing = escrow.folder.appending(path: "map.svg")
        let shown = try escrow.run("location", "show", "--last", "2", "--svg", drawing.path)
        #expect(shown.status == 0, "\(shown.words)")
        // All of them at once, and what who is told learns of each.
        for word in [
            "none", "country", "neighbourhood", "exact", "grid(1000)", "adaptive-donut(1000)", "snap(towns)",
        ] {
            #expect(shown.output.contains("\n\(word)"), "\(shown.output)")
        }
        #expect(shown.output.contains("which square of 1000 m you are in"))
        #expect(try String(contentsOf: drawing, encoding: .utf8).hasPrefix("<svg xmlns="))
        let one = try escrow.run(
            "location", "show", "--last", "1", "--mechanism", "donut(100, 500)", "--format", "json"
        ).json()
        let metres = try #require(((one["places"] as? [[String: Any]])?.first)?["metres"] as? Double)
        #expect((100...500).contains(metres))
        let wrong = try escrow.run("location", "show", "--mechanism", "donut(1)")
        #expect(wrong.status == 64 && wrong.words.contains("[E1184]"), "\(wrong.words)")

        let audit = try escrow.run("location", "audit", "--format", "json").json()
        let finding = try #require((audit["findings"] as? [[String: Any]])?.first)
        #expect(finding["app"] as? String == "org.example.test")
        #expect(finding["places"] as? Int == 1)
        #expect(finding["tells"] as? String == "neighbourhood")
        let exact = try escrow.run("location", "audit", "--tell", "exact", "--svg", drawing.path)
        #expect(exact.status == 0 && exact.output.contains("told"), "\(exact.everything)")
        #expect(try escrow.run("location", "audit", "--tell", "town").status == 64)

        // The nearest of a list of one's own, in the preview, in a rule, and to the server.
        let stops = try escrow.write(
            "stops.txt", "stop_id,stop_lat,stop_lon\n1,60.3731,5.2711\n2,60.3732,5.2712\n3,60.5,5.4\n4,,\n")
        let added = try escrow.run("location", "places", "add", "stops", stops, "--apart", "1000")
        #expect(added.words == "stops: 2 places, 1000 m apart; 1 entries of the file have no valid place\n")
        #expect(try escrow.run("location", "show").output.contains("the nearest of the stops"))
        let rule = ["location", "rule", "add", "--service", "nearby", "--tell"]
        #expect(try Escrow.start(rule + ["snap(stops)"], home: escrow.home).status == 0)
        let line = try #require(try lines("nearby-articles", escrow, server).first)
        #expect(line.contains("gscoord=60.3731%7C5.271&"), "\(line)")
        let unknown = try Escrow.start(rule + ["snap(shops)"], home: escrow.home)
        #expect(unknown.status == 64 && unknown.words.contains("[E1186]"), "\(unknown.words)")
        let held = try escrow.run("location", "places", "remove", "stops")
        #expect(held.status == 64 && held.words.contains("[E1185]"), "\(held.words)")
    }

    @Test(arguments: [
        ["--tell", "town"], ["--tell", "city", "--from", "22:00"], ["--tell", "city", "--near", "91,0"],
        ["--tell", "city", "--from", "24:00", "--until", "06:00"], ["--tell", "city", "--service", "cats"],
    ])
    func aRuleThatIsNoneIsRefused(arguments: [String]) throws {
        let escrow = try Escrow(trusting: false)
        let outcome = try Escrow.start(["location", "rule", "add"] + arguments, home: escrow.home)
        #expect(outcome.status == 64 && outcome.words.contains("[E1181]"), "\(outcome.words)")
        #expect(try escrow.run("location", "rule", "list").words.hasPrefix("no rules"))
    }

    /// In the middle of Iceland: fifteen requests that nobody on the way can tell apart, each on a connection of its own.
    @Test func whereNobodyLivesTheTrueRequestIsOneOfFifteen() throws {
        let escrow = try Escrow()
        let track = try escrow.write(
            "wild.gpx",
            """
            <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
            <trkpt lat="64.9" lon="-18.5"><time>2026-03-04T12:00:00Z</time></trkpt></trkseg></trk></gpx>
            """)
        let added = try escrow.run("source", "add", "location", track)
        try #require(added.status == 0, "\(added.words)")
        try escrow.allow("nearby-articles")
        let server = try StandIn(for: escrow)
        func round() throws -> [String] {
            let lines = try lines("nearby-articles", escrow, server)
            #expect(lines.count == 15 && Set(lines).count == 15)
            return lines
        }
        let first = try round()
        #expect(Set(try server.received().map(\.count)).count == 1)
        let second = try round()
        // The same places, so that many rounds tell no more than one; in another order but once in 10¹² times.
        #expect(Set(first) == Set(second) && first != second)
        let list = try escrow.run("egress", "list", "--each", "--format", "json").json()
        let records = try #require(list["requests"] as? [[String: Any]]).compactMap {
            ($0["request"] as? [String: Any])?["place"] as? [String: Any]
        }
        #expect(records.count == 30 && records.count { $0["dummy"] as? Bool == false } == 2)
        #expect(records.allSatisfy { $0["of"] as? Int == 15 && $0["tells"] as? String == "neighbourhood" })
        let audit = try escrow.run("location", "audit", "--format", "json").json()
        let finding = try #require((audit["findings"] as? [[String: Any]])?.first)
        #expect(finding["places"] as? Int == 2 && finding["dummies"] as? Int == 28)
        let left = try #require(finding["dummiesLeft"] as? [String: Any])
        for attack in ["bySpeed", "byHistory"] {
            #expect((left[attack] as? Double).map { $0 > 14 } == true, "\(finding)")
        }
        // The true one lies where nobody lives, so whoever looks for that takes it for a dummy: it is not among those that are left.
        // How many dummies are left follows from the home's secret: a dummy may be a few kilometres off its village, as the true one.
        #expect((left["byPlace"] as? Double).map { $0 >= 1 && $0 <= 14 } == true, "\(finding)")
        #expect(finding["company"] is [String: Any])
    }
}
