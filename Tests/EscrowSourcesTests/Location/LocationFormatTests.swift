import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowPlaces

@Suite("KML, GeoJSON, OwnTracks and a phone's timeline")
struct LocationFormatTests {
    private func rows(
        _ text: String, _ columns: String..., chunkRows: Int = ColumnChunk.rowCapacity,
        log: ProblemLog = ProblemLog()
    ) throws -> [[Cell]] {
        let folder = try Folder()
        let table = Table("Location", .location, folder.write("a", text), log: log)
        let positions = columns.map { table.column($0) }
        let all = try table.rows(chunkRows: chunkRows)
        // Whichever columns are asked for, the rows are the same, and each has an id of its own.
        #expect(try table.rows("latitude").count == all.count)
        #expect(Set(try table.ids()).count == all.count)
        return all.map { row in positions.map { row[$0] } }
    }

    @Test(
        "KML: placemarks with a time stamp or span, and tracks whose times and places are apart",
        arguments: [1, 256])
    func kml(_ chunkRows: Int) throws {
        let text = """
            <?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
            <Document><name>not a placemark's</name><Folder>
            <Placemark><name> Home </name><TimeStamp><when>2026-03-01T12:00:00Z</when></TimeStamp>
              <LookAt><longitude>1</longitude></LookAt><Point><coordinates> 5.25,60.5,12 </coordinates></Point></Placemark>
            <Placemark><Point><coordinates>-5.25,-60.5</coordinates></Point><TimeSpan><begin>2026-03</begin>
              <end>2026-04</end></TimeSpan></Placemark>
            <Placemark><LineString><coordinates>1,2 3,4</coordinates></LineString></Placemark>
            <Placemark><Point><coordinates>200,1</coordinates></Point></Placemark>
            <Placemark><name>Ride</name><gx:MultiTrack>
              <gx:Track><when>2026-03-01T10:00:00Z</when><when>2026-03-01T10:00:01Z</when>
                <gx:coord>5 60 1</gx:coord><gx:coord>5.5 60.5</gx:coord><gx:coord>6 61 3</gx:coord></gx:Track>
              <gx:Track><gx:coord>7 62 0</gx:coord><when>2026-03-02T10:00:00Z</when></gx:Track></gx:MultiTrack></Placemark>
            </Folder></Document></kml>
            """
        let log = ProblemLog()
        let found = try rows(
            text, "kind", "longitude", "latitude", "altitude", "timestamp", "trackName", "segment",
            chunkRows: chunkRows, log: log)
        #expect(
            found == [
                ["waypoint", 5.25, 60.5, 12.0, "2026-03-01T12:00:00.000Z", "Home", nil],
                ["waypoint", -5.25, -60.5, nil, "2026-03-01T00:00:00.000Z", nil, nil],
                ["track", 5.0, 60.0, 1.0, "2026-03-01T10:00:00.000Z", "Ride", 1],
                ["track", 5.5, 60.5, nil, "2026-03-01T10:00:01.000Z", "Ride", 1],
                ["track", 6.0, 61.0, 3.0, nil, "Ride", 1],
                ["track", 7.0, 62.0, 0.0, "2026-03-02T10:00:00.000Z", "Ride", 2],
            ])
        #expect(Set(log.reasons) == ["1 points without a valid place"])
    }

    @Test(
        "GeoJSON: points and lines, members in any order, times beside the places", arguments: [1, 256])
    func geoJSON(_ chunkRows: Int) throws {
        let text = """
            {"features": [
              {"geometry": {"coordinates": [5.25, 60.5, 12], "type": "Point"}, "type": "Feature",
               "properties": {"name": " Home ", "time": "2026-03-01T12:00:00Z", "accuracy": 8, "tags": {"name": "x"}}},
              {"properties": {"speed": 2.5}, "geometry": {"type": "Point", "coordinates": [1, 2]}},
              {"geometry": {"coordinates": [[5, 60], [5.5, 60.5, 7], [200, 1]], "type": "LineString"},
               "properties": {"coordTimes": ["2026-03-01T10:00:00Z", "2026-03-01T10:00:01Z"], "name": "Ride"}},
              {"geometry": {"type": "MultiLineString", "coordinates": [[[7, 61], [8, 62]], [[9, 63]]]}, "properties":
               {"coordinateProperties": {"times": [["2026-03-02T10:00:00Z", null], ["2026-03-02T11:00:00Z"]]}}},
              {"geometry": {"coordinates": [[[1, 2], [3, 4], [5, 6], [1, 2]]], "type": "Polygon"}, "properties": null},
              {"geometry": null}, 17, [],
              {"geometry": {"geometries": [{"type": "Point", "coordinates": [3, 4]},
                {"coordinates": [[4, 5]], "type": "MultiPoint"}], "type": "GeometryCollection"}, "properties": {}}],
             "type": "FeatureCollection"}
            """
        let log = ProblemLog()
        let found = try rows(
            text, "kind", "longitude", "latitude", "altitude", "timestamp", "trackName", "segment",
            chunkRows: chunkRows, log: log)
        #expect(
            found == [
                ["waypoint", 5.25, 60.5, 12.0, "2026-03-01T12:00:00.000Z", "Home", nil],
                ["waypoint", 1.0, 2.0, nil, nil, nil, nil],
                ["track", 5.0, 60.0, nil, "2026-03-01T10:00:00.000Z", "Ride", 1],
                ["track", 5.5, 60.5, 7.0, "2026-03-01T10:00:01.000Z", "Ride", 1],
                ["track", 7.0, 61.0, nil, "2026-03-02T10:00:00.000Z", nil, 2],
                ["track", 8.0, 62.0, nil, nil, nil, 2],
                ["track", 9.0, 63.0, nil, "2026-03-02T11:00:00.000Z", nil, 3],
                ["waypoint", 3.0, 4.0, nil, nil, nil, nil],
                ["waypoint", 4.0, 5.0, nil, nil, nil, nil],
            ])
        #expect(Set(log.reasons) == ["1 points without a valid place"])
        #expect(try rows(#"{"type":"Point","coordinates":[1,2]}"#, "longitude", "latitude") == [[1.0, 2.0]])
        #expect(try rows(#"{"coordinates":[[1,2]],"type":"LineString"}"#, "kind") == [["track"]])
        #expect(
            try rows(
                #"{"type":"Feature","properties":{"title":"x"},"geometry":{"type":"Point","coordinates":[1,2]}}"#,
                "trackName")
                == [["x"]])
    }

    @Test(
        "Takeout's monthly files: visits, the ends of activities, and what was measured on the way",
        arguments: [1, 256])
    func semanticHistory(_ chunkRows: Int) throws {
        let text = """
            {"timelineObjects": [
              {"activitySegment": {
                "startLocation": {"latitudeE7": 414083590, "longitudeE7": 21704229, "sourceInfo": {"deviceTag": 1}},
                "endLocation": {"latitudeE7": 413961889, "longitudeE7": 4294967295},
                "duration": {"startTimestamp": "2022-03-03T12:22:24Z", "endTimestamp": "2022-03-03T12:43:34.5Z"},
                "activities": [{"activityType": "IN_BUS", "probability": 85.6}],
                "transitPath": {"transitStops": [{"latitudeE7": 1, "longitudeE7": 1}]},
                "waypointPath": {"waypoints": [{"latE7": 1, "lngE7": 1}], "points": [{"latE7": 1, "lngE7": 1}]},
                "simplifiedRawPath": {"source": "INFERRED", "points": [
                  {"latE7": 414032766, "lngE7": 21641819, "accuracyMeters": 10, "timestamp": "2022-03-03T12:27:48Z"},
                  {"latE7": 414016705, "lngE7": 21661614, "timestampMs": "1646310604000"}, {"latE7": 4000000000}],
                  "distanceMeters": 2413.4}, "parkingEvent": {}}},
              {"placeVisit": {"duration": {"startTimestampMs": "1646311414000", "endTimestampMs": "1646312414000"},
                "location": {"latitudeE7": 413961889, "longitudeE7": 21536695, "name": " Market ", "accuracyMetres": 20},
                "otherCandidateLocations": [{"latitudeE7": 1, "longitudeE7": 1}],
                "childVisits": [{"location": {"latitudeE7": 1, "longitudeE7": 1}}], "centerLatE7": 1},
               "z": {"location": {"latitudeE7": 1, "longitudeE7": 1}}},
              {"placeVisit": {"location": {"latitudeE7": 10000000, "longitudeE7": 20000000}}}, {}, 7
            ]}
            """
        let log = ProblemLog()
        let found = try rows(
            text, "kind", "latitude", "longitude", "timestamp", "horizontalAccuracy", "trackName", "segment",
            chunkRows: chunkRows, log: log)
        #expect(
            found == [
                ["path", 41.4032766, 2.1641819, "2022-03-03T12:27:48.000Z", 10.0, nil, 1],
                ["path", 41.4016705, 2.1661614, "2022-03-03T12:30:04.000Z", nil, nil, 1],
                ["activity", 41.408359, 2.1704229, "2022-03-03T12:22:24.000Z", nil, nil, nil],
                ["activity", 41.3961889, -1e-7, "2022-03-03T12:43:34.500Z", nil, nil, nil],
                ["visit", 41.3961889, 2.1536695, "2022-03-03T12:43:34.000Z", 20.0, "Market", nil],
                ["visit", 1.0, 2.0, nil, nil, nil, nil],
            ])
        #expect(Set(log.reasons) == ["1 points without a valid place"])
    }

    @Test("OwnTracks: .rec files and lines of JSON")
    func ownTracks() throws {
        let message =
            #"{"_type":"location","lat":60.5,"lon":5.25,"tst":1772366400,"acc":8,"alt":12,"vac":3,"vel":36,"cog":90}"#
        let columns = [
            "latitude", "longitude", "timestamp", "horizontalAccuracy", "altitude", "verticalAccuracy",
            "speed", "course", "kind",
        ]
        let place: [Cell] = [60.5, 5.25, "2026-03-01T12:00:00.000Z", 8.0, 12.0, 3.0, 10.0, 90.0, "record"]
        for text in [
            message + "\n", "\n\(message)\r\n" + #"{"_type":"transition","lat":1,"lon":2}"#,
            "2026-03-01T12:00:00Z\t*                 \t\(message)\n2026-03-01T12:00:01Z\tlwt\t{\"_type\":\"lwt\"}\n",
        ] {
            let log = ProblemLog()
            let folder = try Folder()
            let table = Table("Location", .location, folder.write("a.rec", text), log: log)
            #expect(try table.rows().map { row in columns.map { row[table.column($0)] } } == [place])
            #expect(log.reasons == [])
        }
        let log = ProblemLog()
        let bad =
            message + "\n{\"_type\":\"location\"}\n{\"_type\n" + String(repeating: "x", count: 200_000) + "\n"
            + message
        #expect(try rows(bad, "latitude", log: log) == [[60.5], [60.5]])
        #expect(Set(log.reasons) == ["1 points without a valid place", "2 lines that are no message"])
    }

    @Test("an iPhone's timeline: paths by minutes, visits and activities, wherever the start stands")
    func iPhone() throws {
        let text = """
            [{"endTime": "2026-03-01T12:00:00.000+01:00", "startTime": "2026-03-01T10:00:00.000+01:00",
              "timelinePath": [{"point": "geo:60.1,5.2", "durationMinutesOffsetFromStartTime": "5"}]},
             {"timelinePath": [{"durationMinutesOffsetFromStartTime": "7.5", "point": "geo:60.2,5.3"}],
              "startTime": "2026-03-01T11:00:00.000Z"},
             {"visit": {"hierarchyLevel": "0", "topCandidate": {"semanticType": "Home", "placeLocation": "geo:60.3,5.4"}},
              "startTime": "2026-03-01T12:00:00Z", "endTime": "2026-03-01T13:00:00Z"},
             {"activity": {"start": "geo:60.4,5.5", "end": "geo:91,5.6", "topCandidate": {"type": "walking"}},
              "startTime": "2026-03-01T13:00:00Z", "endTime": "2026-03-01T14:00:00Z"}]
            """
        let log = ProblemLog()
        #expect(
            try rows(text, "kind", "latitude", "longitude", "timestamp", "segment", log: log) == [
                ["path", 60.1, 5.2, "2026-03-01T09:05:00.000Z", 1],
                ["path", 60.2, 5.3, "2026-03-01T11:07:30.000Z", 2],
                ["visit", 60.3, 5.4, "2026-03-01T12:00:00.000Z", nil],
                ["activity", 60.4, 5.5, "2026-03-01T13:00:00.000Z", nil],
            ])
        #expect(Set(log.reasons) == ["1 points without a valid place"])
    }

    @Test(
        "hostile files end in a word to the owner that holds none of their text, and give no row",
        arguments: [
            #"<!DOCTYPE kml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><kml>&b;</kml>"#,
            "<kml>" + String(repeating: "<Folder>", count: 100), "<kml>", "<kml></Document>", "<xml/>",
            "<kml><Placemark><Point><coordinates>" + String(repeating: "9", count: 3_000_000),
            "<kml a='" + String(repeating: "9", count: 3_000_000),
            #"{"type":"FeatureCollection","features":"# + String(repeating: "[", count: 10_000),
            #"{"type":"FeatureCollection","features":[{"geometry":{"coordinates":"#
                + String(repeating: "[", count: 10_000),
            #"{"type":"Feature","geometry":{"coordinates":[[1,"secret"#, #"{"type":"secret"}"#,
            #"{"_type":"location","secret":"#, "2026-03-01T12:00:00Z\t*\t{secret",
            #"[{"timelinePath":[{"point":"geo:1,"#,
        ])
    func hostile(_ text: String) throws {
        let log = ProblemLog()
        let folder = try Folder()
        #expect(try Table("Location", .location, folder.write("a", text), log: log).rows().isEmpty)
        #expect(log.problems.count == 1)
        #expect(
            log.reasons.allSatisfy { !$0.contains("secret") && !$0.contains("99999") && $0.utf8.count < 200 })
    }

    @Test("what stands before a fault is served")
    func beforeFault() throws {
        for text in [
            "<kml><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark><Placemark>",
            "<kml><Placemark><Point><coordinates>1,2</coordinates></Point></Placemark></wrong>",
            #"{"features":[{"geometry":{"type":"Point","coordinates":[1,2]}},{"#,
            #"[{"timelinePath":[{"point":"geo:2,1"},{"#,
        ] {
            let log = ProblemLog()
            #expect(try rows(text, "longitude", "latitude", log: log) == [[1.0, 2.0]], "\(text)")
            #expect(!log.problems.isEmpty && log.problems.allSatisfy(\.problem.isPartial))
        }
    }

    @Test("gpsbabel's KML and GeoJSON of a GPX track give the points of the track")
    func gpsbabel() throws {
        let places: [String] = ["/usr/bin/gpsbabel", "/usr/local/bin/gpsbabel"]
        let tool = places.first { access($0, X_OK) == 0 }
        guard let tool else {
            print("SKIP: gpsbabel is not installed")
            return
        }
        let folder = try Folder()
        let gpx = Repository.samples + "/tracks"
        let name = try #require(Self.names(in: gpx).first { $0.hasSuffix(".gpx") })
        let want = try Table("Location", .location, gpx + "/" + name).rows(
            "latitude", "longitude", "timestamp", "kind"
        )
        .filter { $0[3] == "track" }
        #expect(want.count > 50)
        for (format, file) in [
            ("kml,points=0,track=1,lines=0", "a.kml"), ("kml,points=1,lines=1", "b.kml"),
            ("geojson", "c.geojson"),
        ] {
            let output = folder.path + "/" + file
            #expect(
                Self.run([
                    tool, "-i", "gpx", "-f", gpx + "/" + name, "-x", "nuketypes,waypoints", "-o", format,
                    "-F", output,
                ]) == 0)
            let log = ProblemLog()
            let found = try Table("Location", .location, output, log: log).rows(
                "latitude", "longitude", "timestamp", "kind")
            #expect(log.reasons == [])
            #expect(found.count == want.count, "\(format)")
            var wrong = 0
            for (a, b) in zip(found, want) {
                for column in 0..<2 {
                    guard case .real(let x) = a[column], case .real(let y) = b[column] else {
                        wrong += 1
                        continue
                    }
                    if abs(x - y) >= 1e-6 { wrong += 1 }
                }
                // gpsbabel writes no times into GeoJSON.
                if format != "geojson", a[2] != b[2] { wrong += 1 }
            }
            #expect(wrong == 0, "\(format)")
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.sorted()
    }

    /// Runs a program to its end; its exit status.
    private static func run(_ words: [String]) -> Int32 {
        var child = pid_t()
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        guard posix_spawn(&child, words[0], nil, nil, &arguments, nil) == 0 else { return -1 }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { if errno != EINTR { return -1 } }
        return status
    }
}
