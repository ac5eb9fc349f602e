import EscrowTabular
import Glibc
import Testing

@testable import EscrowFormats
@testable import EscrowPeople
@testable import EscrowPlaces

@Suite("Tracks and location histories")
struct LocationTests {
    private func rows(_ text: some Sequence<UInt8>, _ columns: String..., log: ProblemLog = ProblemLog())
        throws -> [[Cell]]
    {
        let folder = try Folder()
        let table = Table("Location", .location, folder.write("a", text), log: log)
        return try table.rows().map { row in columns.map { row[table.column($0)] } }
    }

    @Test("GPX 1.0 and 1.1: tracks, routes, waypoints, prefixes, extensions, times without a zone")
    func gpx() throws {
        let text = """
            <?xml version="1.0" encoding="ISO-8859-1"?>
            <g:gpx xmlns:g="http://www.topografix.com/GPX/1/0" version="1.0">
            <g:wpt lat="1" lon="-2"><g:name>A &amp; B</g:name><g:ele>-3.5</g:ele></g:wpt>
            <g:rte><g:name>R</g:name><g:rtept lat="4" lon="5"/></g:rte>
            <g:trk><g:trkseg><g:trkpt lat="6.5" lon="7"><g:time>2026-03-01T12:00:00</g:time><g:speed>1.5</g:speed>
            <g:course>90</g:course><g:extensions><x><accuracy>4</accuracy></x></g:extensions></g:trkpt></g:trkseg>
            <g:trkseg><g:trkpt lat="8" lon="9"><g:time>2026-03-01T12:00:00.25+02:00</g:time></g:trkpt></g:trkseg></g:trk>
            </g:gpx>
            """
        let log = ProblemLog()
        let found = try rows(
            text.utf8, "kind", "latitude", "longitude", "altitude", "trackName", "timestamp", "speed",
            "course",
            "horizontalAccuracy", "segment", log: log)
        #expect(log.reasons == [])
        #expect(
            found == [
                ["waypoint", 1.0, -2.0, -3.5, "A & B", nil, nil, nil, nil, nil],
                ["route", 4.0, 5.0, nil, "R", nil, nil, nil, nil, 1],
                ["track", 6.5, 7.0, nil, nil, "2026-03-01T12:00:00.000Z", 1.5, 90.0, 4.0, 2],
                ["track", 8.0, 9.0, nil, nil, "2026-03-01T10:00:00.250Z", nil, nil, nil, 3],
            ])
    }

    @Test(
        "a document type is refused, and so are entities, depth and foreign XML; points before a fault are served"
    )
    func hostileXML() throws {
        let bomb =
            "<!DOCTYPE gpx [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><gpx><wpt lat='1' lon='2'><name>&b;</name></wpt></gpx>"
        for text in [
            bomb, "<html><wpt lat='1' lon='2'/></html>", "<gpx>" + String(repeating: "<a>", count: 100),
            "<gpx/>x", "<",
        ] {
            let log = ProblemLog()
            #expect(try rows(text.utf8, "latitude", log: log).isEmpty)
            #expect(log.problems.count == 1, "\(text.prefix(20))")
        }
        let log = ProblemLog()
        #expect(
            try rows(
                "<gpx><wpt lat='1' lon='2'/><wpt lat='91' lon='2'/><wpt lat='nan' lon='2'/><wpt lat='3' lon='4'/><wp"
                    .utf8, "latitude", log: log) == [[1.0], [3.0]])
        #expect(log.problems.count == 1)
        let long = "<gpx><wpt lat='1' lon='2' x='" + String(repeating: "y", count: 3 << 20) + "'/></gpx>"
        let second = ProblemLog()
        #expect(try rows(long.utf8, "latitude", log: second).isEmpty)
        #expect(second.problems.count == 1)
    }

    @Test("points outlive the edges of blocks and of chunks")
    func edges() throws {
        let folder = try Folder()
        let points = (0..<9_000).map { "<trkpt lat='1.\($0)' lon='2'/>" }.joined()
        let table = Table(
            "Location", .location, folder.write("a.gpx", "<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>"))
        #expect(try table.rows("latitude", chunkRows: 7) == (0..<9_000).map { [.real(Double("1.\($0)")!)] })
        let records = (0..<9_000).map { "{\"latitudeE7\":\($0),\"longitudeE7\":5}" }.joined(separator: ",")
        let history = Table("Location", .location, folder.write("b.json", "{\"locations\":[\(records)]}"))
        #expect(try history.rows("latitude", chunkRows: 7) == (0..<9_000).map { [.real(Double($0) / 1e7)] })
    }

    @Test("Records.json old and new, with nesting, wrapped degrees and foreign members")
    func records() throws {
        let text = """
            {"x": {"locations": [{"latitudeE7": 1}]}, "locations": [
              {"latitudeE7": 603943000, "longitudeE7": -53259000, "timestampMs": "1772366400000", "accuracy": 12,
               "altitude": -3, "verticalAccuracy": 2, "activity": [{"activity": [{"type": "STILL"}]}]},
              {"latitudeE7": 1, "longitudeE7": 4294967295, "timestamp": "2026-03-01T12:00:00.5Z", "velocity": 2, "heading": 361},
              {"source": "WIFI"}, {"latitudeE7": "603943000", "longitudeE7": 1}], "y": [[1, "\\u00b0\\n", null, true]]}
            """
        let log = ProblemLog()
        let found = try rows(
            text.utf8, "latitude", "longitude", "timestamp", "horizontalAccuracy", "altitude",
            "verticalAccuracy", "speed",
            "course", "kind", log: log)
        #expect(
            found == [
                [60.3943, -5.3259, "2026-03-01T12:00:00.000Z", 12.0, -3.0, 2.0, nil, nil, "record"],
                [1e-7, -1e-7, "2026-03-01T12:00:00.500Z", nil, nil, nil, 2.0, nil, "record"],
            ])
        #expect(log.reasons == ["2 points without a valid place"])
    }

    @Test("Timeline.json of a phone: raw positions, paths and visits")
    func timeline() throws {
        let text = """
            {"semanticSegments": [
              {"startTime": "2026-03-01T10:00:00.000+01:00", "timelinePath": [
                {"point": "60.1°, 5.2°", "time": "2026-03-01T10:05:00.000+01:00"},
                {"time": "2026-03-01T10:06:00.000+01:00", "point": "geo:60.2,5.3"}], "endTime": "x"},
              {"visit": {"topCandidate": {"placeLocation": {"latLng": "1°, 2°"}}}}],
             "rawSignals": [{"wifiScan": {"devices": []}},
              {"position": {"LatLng": "48.5°, -2.25°", "accuracyMeters": 13, "altitudeMeters": 90.5,
               "timestamp": "2026-03-02T00:00:00.000Z", "speedMetersPerSecond": 0.5}, "z": 1}]}
            """
        let log = ProblemLog()
        let found = try rows(
            text.utf8, "kind", "latitude", "longitude", "timestamp", "horizontalAccuracy", "speed", "segment",
            log: log)
        #expect(log.reasons == [])
        #expect(
            found == [
                ["path", 60.1, 5.2, "2026-03-01T09:05:00.000Z", nil, nil, 1],
                ["path", 60.2, 5.3, "2026-03-01T09:06:00.000Z", nil, nil, 1],
                ["visit", 1.0, 2.0, nil, nil, nil, nil],
                ["record", 48.5, -2.25, "2026-03-02T00:00:00.000Z", 13.0, 0.5, nil],
            ])
    }

    @Test(
        "JSON that is damaged or no location history is told",
        arguments: [
            "{\"locations\":[{\"latitudeE7\":1,", "{\"locations\":[}", "[1,2]", "{}", "{\"locations\" [",
            "{\"a\":tru}",
            "{\"a\":1}}", "{\"locations\":{}}", String(repeating: "[", count: 200), "{\"a\":\"\u{1}\"}",
            "{,}", "{\"a\":[1,]}", "",
            "plain text",
        ])
    func damaged(_ text: String) throws {
        let log = ProblemLog()
        #expect(try rows(text.utf8, "latitude", log: log).isEmpty)
        #expect(log.problems.count == 1)
    }

    @Test(
        "numbers read to the nearest double",
        arguments: [
            "0", "-0.5", "60.3943001", "123456789012345", "0.000000000000001", "1e-7", "5.32", "179.9999999",
            "9007199254740993",
        ])
    func numbers(_ text: String) {
        #expect(DecimalNumber.read(Array(text.utf8)[...]) == Double(text))
    }

    @Test(
        "nothing else is a number",
        arguments: ["", "-", ".", "1,5", "0x10", "inf", "nan", "1e999", " 1", "1 "])
    func notNumbers(_ text: String) { #expect(DecimalNumber.read(Array(text.utf8)[...]) == nil) }

    @Test("a large file is read in memory that does not depend on its size")
    func memory() async {
        // In a process of its own: other tests run beside this one, and their memory must not count.
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let point =
                "{\"latitudeE7\":603943000,\"longitudeE7\":53259000,\"timestampMs\":\"1772366400000\",\"accuracy\":12,\"activity\":[{\"type\":\"STILL\"}]}"
            let card =
                "BEGIN:VCARD\nVERSION:3.0\nN:Family;Given;;;\nFN:Given Family\nTEL:+1 202 555 0100\nNOTE:\(String(repeating: "n", count: 600))\nEND:VCARD\n"
            let records = 60_000_000 / (point.utf8.count + 1)
            let cards = 60_000_000 / card.utf8.count
            let json = write(folder, "a.json", "{\"locations\":[", "," + point, records, "]}")
            let vcf = write(folder, "a.vcf", "", card, cards, "")
            let before = residentKiB()
            #expect(try countRows("Location", .location, json, "latitude") == records)
            #expect(try countRows("Contacts", .contacts, vcf, "phoneNumber") == cards)
            #expect(residentKiB() - before < 24 << 10)
        }
    }
}
