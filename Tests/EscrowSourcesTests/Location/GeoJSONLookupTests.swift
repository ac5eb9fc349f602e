import Testing

@testable import EscrowPlaces
@testable import EscrowSourceFiles

@Suite("GeoJSON: what stands behind")
struct GeoJSONLookupTests {
    /// The points of a text, and how often a feature and a geometry were looked up for them.
    private func read(_ text: String) throws -> (points: [LocationPoint], lookups: Int) {
        let folder = try Folder()
        let file = SharedDescriptor(Descriptor.openingRootFile(folder.write("a.geojson", text))!)
        let reader = GeoJSONReader(file, size: Int64(text.utf8.count)) { _ in }
        var points: [LocationPoint] = []
        while let point = reader.next() { points.append(point) }
        return (points, reader.lookups)
    }

    private func times(_ count: Int, _ text: String) -> String {
        [String](repeating: text, count: count).joined(separator: ",")
    }

    @Test("a feature is looked up once for all lines of its collection")
    func collection() throws {
        let line = #"{"coordinates":[[1,2]],"type":"LineString"}"#
        let found = try read(
            #"{"geometry":{"geometries":[\#(times(500, line))]},"properties":{"name":"Ride"},"type":"Feature"}"#
        )
        #expect(found.points.count == 500 && found.points.allSatisfy { $0.trackName == Array("Ride".utf8) })
        #expect(found.lookups == 500 + 1)
    }

    @Test(
        "members that stand in an object again and again are looked up once, and only the first line has times"
    )
    func repeated() throws {
        let geometry = #""geometry":{"type":"LineString","coordinates":[[1,2]]}"#
        let properties = #""properties":{"coordTimes":["2026-03-01T10:00:00Z"],"name":"Ride"}"#
        var found = try read("{\(times(500, geometry)),\(properties)}")
        #expect(found.points.count == 500 && found.points.count { $0.timestamp != nil } == 1)
        #expect(found.points.allSatisfy { $0.trackName == Array("Ride".utf8) })
        #expect(found.lookups == 500 + 1)
        found = try read(#"{"geometry":{\#(times(500, #""coordinates":[[1,2]]"#)),"type":"LineString"}}"#)
        #expect(found.points.count == 500 && found.lookups == 2)
        // By turns with another object, so that the last one looked up is always the other.
        let turns = times(500, #""geometry":{"coordinates":[[1,2]],"geometry":{"coordinates":[[3,4]]}}"#)
        #expect(try read("{\(turns)}").lookups <= 500 * 3 + 1)
        // A line that is in no feature does not have what the feature before it says.
        found = try read(
            #"{"features":[{\#(geometry),\#(properties)},{"coordinates":[[1,2]],"type":"LineString"}]}"#)
        #expect(found.points.map(\.trackName) == [Array("Ride".utf8), nil])
    }
}
