/// A cell of a grid over the globe.
public struct Cell: Sendable, Hashable {
    /// Counted from the South Pole.
    public let row: Int
    /// Counted eastwards from 180°.
    public let column: Int

    /// Takes both; a grid that has no such cell takes it for none.
    public init(row: Int, column: Int) { (self.row, self.column) = (row, column) }
}

/// Cells of at most so many metres in height and in width, anywhere: a row has fewer of them towards the poles, and the
/// first and the last meet at ±180°.
struct CellGrid: Sendable {
    let metres: Double
    private let rows: Int
    private let height: Double

    init(metres: Double) {
        self.metres = metres
        rows = max(Int((180 * Ellipsoid.metresPerDegreeNorth / metres).rounded(.up)), 1)
        height = 180 / Double(rows)
    }

    /// No point is farther from the middle of the cell that it is counted to.
    ///
    /// It is half a diagonal, and an eighth of a side more: who moves about on a border keeps the cell until that is passed.
    var reach: Double { metres * 0.833 }

    private func columns(_ row: Int) -> Int {
        // A row is widest where it is nearest to the equator.
        let (south, north) = (Double(row) * height - 90, Double(row + 1) * height - 90)
        let widest = south <= 0 && north >= 0 ? 0 : min(south.magnitude, north.magnitude)
        return max(Int((360 * Ellipsoid.metresPerDegreeEast(widest) / metres).rounded(.up)), 1)
    }

    /// The cell of a point: the last one as long as the point is still in its reach.
    func cell(of point: Coordinates, last: Cell?) -> Cell {
        if let last, contains(last), Ellipsoid.distance(point, centre(of: last)) <= reach { return last }
        let row = min(max(Int((point.latitude + 90) / height), 0), rows - 1)
        let columns = columns(row)
        let column = min(max(Int((point.longitude + 180) / 360 * Double(columns)), 0), columns - 1)
        return Cell(row: row, column: column)
    }

    /// A last cell may come from a grid of another width.
    private func contains(_ cell: Cell) -> Bool {
        (0..<rows).contains(cell.row) && (0..<columns(cell.row)).contains(cell.column)
    }

    func centre(of cell: Cell) -> Coordinates {
        Coordinates(
            (Double(cell.row) + 0.5) * height - 90,
            (Double(cell.column) + 0.5) / Double(columns(cell.row)) * 360 - 180)
    }
}
