import Glibc
import Testing

@testable import EscrowPlaces

@Suite("Large files")
struct LargeFileTests {
    @Test("tracks and histories of every format are read in memory that does not depend on their size")
    func locations() async {
        // In a process of its own: other tests run beside this one, and their memory must not count.
        await #expect(processExitsWith: .success) {
            let place = "{\"type\":\"Point\",\"coordinates\":[5.25,60.5]}"
            let files: [(name: String, head: String, piece: String, tail: String)] = [
                (
                    "a.kml", "<kml><Document>",
                    "<Placemark><name>Home</name><TimeStamp><when>2026-03-01T12:00:00Z</when></TimeStamp><Point><coordinates>5.25,60.5</coordinates></Point></Placemark>",
                    "</Document></kml>"
                ),
                (
                    "track.kml", "<kml><Placemark><gx:Track>",
                    "<when>2026-03-01T10:00:00Z</when><gx:coord>5.25 60.5 12</gx:coord>",
                    "</gx:Track></Placemark></kml>"
                ),
                (
                    "a.geojson", "{\"type\":\"FeatureCollection\",\"features\":[",
                    ",{\"type\":\"Feature\",\"properties\":{\"name\":\"Home\"},\"geometry\":\(place)}", "]}"
                ),
                (
                    "line.geojson",
                    "{\"type\":\"Feature\",\"properties\":{\"name\":\"Ride\"},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[",
                    ",[5.25,60.5,12]", "]}}"
                ),
                (
                    "Timeline.json", "{\"rawSignals\":[",
                    ",{\"position\":{\"LatLng\":\"60.5°, 5.25°\",\"timestamp\":\"2026-03-01T12:00:00Z\"}}",
                    "]}"
                ),
                (
                    "iphone.json", "[{\"timelinePath\":[",
                    ",{\"point\":\"geo:60.5,5.25\",\"durationMinutesOffsetFromStartTime\":\"2\"}",
                    "],\"startTime\":\"2026-03-01T12:00:00Z\"}]"
                ),
                (
                    "2022_MARCH.json", "{\"timelineObjects\":[",
                    ",{\"placeVisit\":{\"location\":{\"latitudeE7\":605000000,\"longitudeE7\":52500000},\"duration\":{\"startTimestampMs\":\"1\"}}}",
                    "]}"
                ),
                (
                    "a.rec", "",
                    "2026-03-01T12:00:00Z\t*\t{\"_type\":\"location\",\"lat\":60.5,\"lon\":5.25,\"tst\":1772366400}\n",
                    ""
                ),
            ]
            for file in files {
                // What a first scan loads and sets up is no matter of a file's size: a small one goes before.
                var before = 0
                for size in [60_000, 6_000_000] {
                    let folder = try Folder()
                    let count = size / file.piece.utf8.count
                    let path = write(folder, file.name, file.head, file.piece, count, file.tail)
                    before = residentKiB()
                    #expect(try countRows("Location", .location, path, "timestamp") == count)
                }
                #expect(residentKiB() - before < 4 << 10, "\(file.name)")
            }
        }
    }

    @Test("members of archives are unpacked in memory that does not depend on their size")
    func archives() async {
        await #expect(processExitsWith: .success) {
            let script = """
                import sys, zipfile
                with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z, z.open("a.gpx", "w") as f:
                    f.write(b"<gpx><trk><trkseg>")
                    for i in range(int(sys.argv[2])): f.write(b"<trkpt lat=\\"%d.%05d\\" lon=\\"5\\"/>" % (i % 90, i * 7919 % 99991))
                    f.write(b"</trkseg></trk></gpx>")
                """
            var before = 0
            for count in [2_000, 600_000] {
                let folder = try Folder()
                let path = folder.path + "/a.zip"
                guard run("python3 -c '\(script)' '\(path)' \(count)") != nil else {
                    print("SKIP: python3 is not installed")
                    return
                }
                before = residentKiB()
                #expect(try countRows("Location", .location, path, "latitude") == count)
            }
            #expect(residentKiB() - before < 4 << 10)
        }
    }
}
