import EscrowDiagnostics
import EscrowPlaces
import Foundation
import Testing

/// Files of places, as a list takes them.
@Suite struct PlaceFileTests {
    private func read(_ name: String, _ text: String, most: Int = 10) throws -> PlaceFile {
        let folder = FileManager.default.temporaryDirectory.appending(path: "places-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return try PlaceFile(file.path, most: most)
    }

    @Test(arguments: [
        (
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\r\n1,\"A, \"\"B\"\"\",60.39,5.32\r\n2,C,60.5,-5.25\r\n"
        ),
        ("shops.csv", "\u{FEFF}Name;Latitude;Longitude\nA;60.39;5.32\n\nB; 60.5 ;\"-5.25\""),
        ("shops.tsv", "lng\tlat\n5.32\t60.39\n-5.25\t60.5\n"),
        (
            "shops.gpx",
            """
            <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="60.39" lon="5.32"><name>A</name></wpt>
            <wpt lat="60.5" lon="-5.25"/><trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>
            """
        ),
        (
            "shops.geojson",
            """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"name":"A"},"geometry":{"type":"Point","coordinates":[5.32,60.39]}},
            {"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}},
            {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[-5.25,60.5]}}]}
            """
        ),
        (
            "shops.kml",
            """
            <kml xmlns="http://www.opengis.net/kml/2.2"><Document>
            <Placemark><Point><coordinates>5.32,60.39</coordinates></Point></Placemark>
            <Placemark><Point><coordinates>-5.25,60.5,3</coordinates></Point></Placemark></Document></kml>
            """
        ),
    ])
    func eachFormatListsThePlacesThatItHas(name: String, text: String) throws {
        let file = try read(name, text)
        #expect(
            file.places.map(\.latitude) == [60.39, 60.5] && file.places.map(\.longitude) == [5.32, -5.25])
        #expect(file.leftOut == 0)
    }

    @Test func rowsWithoutAPlaceAreCounted() throws {
        let file = try read("a.csv", "lat,lon\n91,0\n60.39,5.32\n,\nx,y\n1\n60,181\n")
        #expect(file.places.count == 1 && file.leftOut == 5)
    }

    /// None of the message is of the file: what somebody keeps a list of is theirs.
    @Test(arguments: [
        ("a.csv", "name,place\ncanary,1\n"), ("a.csv", "lat,lon\ncanary,canary\n"), ("a.csv", ""),
        ("a.csv", "lat,lon\n\"canary"), ("a.gpx", "<gpx><canary></gpx>"), ("a.json", "{\"canary\":1}"),
        ("a.csv", "lat,lon\n" + String(repeating: "1,2\n", count: 11)),
        ("a.gpx", "<gpx version='1.1'><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>"),
        ("a.csv", "lat,lon\n" + String(repeating: "7", count: 5_000)),
    ])
    func whatIsNoListIsRefusedInOneSentence(name: String, text: String) throws {
        let error = try #require(throws: Diagnostic.self) { try read(name, text) }
        #expect(error.code == .placeListUnfit && error.exitStatus == .usage)
        #expect(!error.message.contains("canary"), "\(error.message)")
        #expect(throws: Diagnostic.self) { try PlaceFile("/nowhere/at/all", most: 1) }
        #expect(throws: Diagnostic.self) { try PlaceFile("/", most: 1) }
    }
}
