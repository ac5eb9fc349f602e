package import EscrowDiagnostics
internal import EscrowFiles
internal import EscrowSourceFiles
internal import Glibc

/// A file that lists places: shops, stops, whatever has a point.
///
/// Waypoints of GPX, placemarks of KML, points of GeoJSON, or a table in text with a header. Tracks are where somebody was, and no
/// such places.
package struct PlaceFile: Sendable {
    package typealias Place = (latitude: Double, longitude: Double)

    /// In the file's order.
    package let places: [Place]
    /// How many of its entries have no valid place.
    package let leftOut: Int

    /// A larger table is refused; the other formats are read as streams.
    static let tableLimit = 64 << 20

    /// Reads a file. E1185 where it cannot be read, lists no place, or more than `most`.
    package init(_ path: String, most: Int) throws(Diagnostic) {
        func unfit(_ why: String, line: Int? = nil) -> Diagnostic {
            Diagnostic(
                .placeListUnfit, "\(path) is no list of places: \(why)",
                at: .init(file: path, line: line),
                help:
                    "give waypoints (GPX, KML), points (GeoJSON), or a table whose header names latitude and longitude"
            )
        }
        guard let descriptor = Descriptor.openingRootFile(path), let status = descriptor.status(),
            status.st_mode & S_IFMT == S_IFREG, let head = descriptor.bytes(at: 0, count: 4 << 10)
        else { throw unfit("it cannot be read") }
        var found: (places: [Place], leftOut: Int) = ([], 0)
        if LocationFormat(head: head[...]) == .unknown {
            guard status.st_size <= Self.tableLimit,
                let bytes = descriptor.bytes(at: 0, count: Int(status.st_size))
            else { throw unfit("it is larger than \(Self.tableLimit >> 20) MiB") }
            do throws(PlaceTable.Failure) { found = try PlaceTable.read(bytes, most: most) } catch {
                throw unfit(error.why, line: error.line)
            }
        } else {
            var problem: FileProblem?
            let reader = LocationFiles.reader(
                SharedDescriptor(descriptor), head[...], size: Int64(status.st_size)
            ) { if !$0.isPartial { problem = $0 } else { found.leftOut += 1 } }
            while found.places.count <= most, let point = reader?.next() {
                if point.isPlace { found.places.append((point.latitude, point.longitude)) }
            }
            if let problem { throw unfit(problem.reason, line: problem.line) }
        }
        guard found.places.count <= most else { throw unfit("it has more than \(most) places") }
        guard !found.places.isEmpty else { throw unfit("it has no place") }
        (places, leftOut) = found
    }
}

extension LocationPoint {
    /// Whether it is a place of its own, and no moment on a way.
    fileprivate var isPlace: Bool { String(describing: kind) == "waypoint" }
}
