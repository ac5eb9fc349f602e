import EscrowConsole
import EscrowDiagnostics
import EscrowFiles
import EscrowLocationPrivacy

/// A small map as SVG: dots, circles and lines, true in metres around its middle.
struct MapDrawing {
    private let south: Double, west: Double, north: Double, east: Double
    private let stretch: Double
    private var shapes: [String] = []
    private static let width = 800.0

    /// A map that holds all places, and so many metres around them.
    init(around places: [Coordinates], margin: Double) {
        let latitudes = places.map(\.latitude)
        let longitudes = places.map(\.longitude)
        let middle = ((latitudes.min() ?? 0) + (latitudes.max() ?? 0)) / 2
        let degree = 111_320.0
        // A degree of longitude, as a part of one of latitude.
        stretch = max(Ellipsoid.metresPerDegreeEast(middle) / degree, 0.01)
        south = (latitudes.min() ?? 0) - margin / degree
        north = (latitudes.max() ?? 0) + margin / degree
        west = (longitudes.min() ?? 0) - margin / degree / stretch
        east = (longitudes.max() ?? 0) + margin / degree / stretch
    }

    private var scale: Double { Self.width / ((east - west) * stretch) }
    private var height: Double { (north - south) * scale }

    /// Where a point lies; nil outside of the map.
    private func at(_ point: Coordinates) -> (x: Double, y: Double)? {
        guard (south...north).contains(point.latitude), (west...east).contains(point.longitude) else {
            return nil
        }
        return (
            ((point.longitude - west) * stretch * scale).rounded(),
            ((north - point.latitude) * scale).rounded()
        )
    }

    mutating func dot(_ point: Coordinates, _ colour: String, title: String) {
        guard let (x, y) = at(point) else { return }
        shapes.append("<circle cx='\(x)' cy='\(y)' r='4' fill='\(colour)'><title>\(title)</title></circle>")
    }

    mutating func circle(_ point: Coordinates, metres: Double, _ colour: String) {
        guard let (x, y) = at(point) else { return }
        let radius = (metres / 111_320 * scale).rounded()
        shapes.append("<circle cx='\(x)' cy='\(y)' r='\(radius)' fill='none' stroke='\(colour)'/>")
    }

    mutating func line(_ from: Coordinates, _ to: Coordinates) {
        guard let start = at(from), let end = at(to) else { return }
        shapes.append(
            "<line x1='\(start.x)' y1='\(start.y)' x2='\(end.x)' y2='\(end.y)' stroke='lightgray'/>")
    }

    /// Writes the map where only the individual can read it.
    func save(to path: String) throws(Diagnostic) {
        try SecureFile.replace(path, with: Array(svg.utf8))
        Console.say("drawn into \(path)")
    }

    /// Lines below, dots above them.
    private var svg: String {
        let sorted = shapes.filter { $0.hasPrefix("<line") } + shapes.filter { !$0.hasPrefix("<line") }
        return """
            <svg xmlns='http://www.w3.org/2000/svg' width='\(Int(Self.width))' height='\(Int(height))'>
            <rect width='100%' height='100%' fill='white'/>
            \(sorted.joined(separator: "\n"))
            </svg>

            """
    }
}
