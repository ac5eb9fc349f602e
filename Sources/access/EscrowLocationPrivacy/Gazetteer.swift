/// Where people live: places with their population and the region they lie in, from the bytes that `scripts/gazetteer`
/// wrote. Whoever uses it opens the file.
///
/// The bytes are kept as they are: cells of one degree, in each of which places go from south to north, are their own index.
public struct Gazetteer: Sendable {
    /// A place where people live.
    public struct Place: Sendable, Hashable {
        /// Its number in the file.
        public let number: Int
        /// The point that stands for it, true within about 2 m.
        public let coordinates: Coordinates
        /// How many people it is said to have.
        public let population: Int
        /// Which region it lies in.
        public let region: Int
    }

    /// A first-level division of a country.
    public struct Region: Sendable, Hashable {
        /// Two letters of ISO 3166.
        public let country: String
        /// The division's code in GeoNames; empty where a country has none.
        public let code: String
    }

    /// Why bytes are no gazetteer.
    public struct Malformed: Error, Sendable, Equatable {
        /// Half a sentence.
        public let why: String
    }

    /// The regions that there are, sorted.
    public let regions: [Region]
    /// Number of places.
    public let count: Int
    private let bytes: [UInt8]
    private let placesStart: Int
    /// Where each cell's places begin, and at the end how many there are.
    private let starts: [UInt32]
    /// The most people that one place has.
    let largest: Int
    /// The numbers of all places that reach far, in order: few, so that whoever asks how many people live around a point need not
    /// go over all that lies within the widest place's reach.
    private let wide: [UInt32]
    /// More people than these make a place wide.
    static let wideBeyond = 50_000
    /// The number of each region's most populous place; of equal ones the first.
    private let capitals: [Int?]
    /// The same of the country that a region belongs to.
    private let countryCapitals: [Int?]

    private static let magic = Array("ESCGAZ1\n".utf8)
    private static let regionSize = 10
    private static let placeSize = 10

    /// Checks all of the bytes: nothing is read of a file that is not whole and in order.
    public init(_ bytes: [UInt8]) throws(Malformed) {
        guard bytes.starts(with: Self.magic), bytes.count >= 16 else {
            throw Malformed(why: "it does not begin as a gazetteer")
        }
        let (count, regions) = (Int(Self.word(bytes, 8)), Int(Self.word(bytes, 12)))
        let cellsStart = 16 + regions * Self.regionSize
        let placesStart = cellsStart + Cell.count * 2
        guard regions <= 65_536, count <= 16_000_000, bytes.count == placesStart + count * Self.placeSize
        else {
            throw Malformed(why: "it is not as long as it says")
        }
        self.regions = try Self.regions(bytes, regions)
        var starts: [UInt32] = [0]
        starts.reserveCapacity(Cell.count + 1)
        var total: UInt32 = 0
        for cell in 0..<Cell.count {
            total += UInt32(Self.half(bytes, cellsStart + 2 * cell))
            starts.append(total)
        }
        guard Int(total) == count else { throw Malformed(why: "its cells hold another number of places") }
        for cell in 0..<Cell.count where starts[cell + 1] - starts[cell] > 1 {
            var last = 0
            for number in Int(starts[cell])..<Int(starts[cell + 1]) {
                let step = Self.half(bytes, placesStart + number * Self.placeSize)
                guard step >= last else { throw Malformed(why: "its places are not in order") }
                last = step
            }
        }
        var largest = 0
        var wide: [UInt32] = []
        var capitals = [(number: Int, population: Int)?](repeating: nil, count: regions)
        for number in 0..<count {
            let start = placesStart + number * Self.placeSize
            let population = Int(Self.word(bytes, start + 4))
            let region = Self.half(bytes, start + 8)
            guard (1...100_000_000).contains(population), region < regions else {
                throw Malformed(why: "a place has no people or no region")
            }
            if population > capitals[region]?.population ?? 0 { capitals[region] = (number, population) }
            largest = max(largest, population)
            if population > Self.wideBeyond { wide.append(UInt32(number)) }
        }
        (self.bytes, self.count, self.placesStart, self.starts) = (bytes, count, placesStart, starts)
        self.largest = largest
        self.wide = wide
        self.capitals = capitals.map { $0?.number }
        var best: [String: (number: Int, population: Int)] = [:]
        for (region, capital) in zip(self.regions, capitals) {
            guard let capital else { continue }
            let known = best[region.country] ?? (0, 0)
            if (capital.population, -capital.number) > (known.population, -known.number) {
                best[region.country] = capital
            }
        }
        countryCapitals = self.regions.map { best[$0.country]?.number }
    }

    private static func regions(_ bytes: [UInt8], _ count: Int) throws(Malformed) -> [Region] {
        var regions: [Region] = []
        regions.reserveCapacity(count)
        for index in 0..<count {
            let record = bytes[(16 + index * regionSize)..<(26 + index * regionSize)]
            let country = record.prefix(2)
            let code = record.dropFirst(2)
            let used = code.prefix { $0 != 0 }
            guard country.allSatisfy({ (0x41...0x5A).contains($0) }),
                used.allSatisfy({ (0x21...0x7E).contains($0) }),
                code.dropFirst(used.count).allSatisfy({ $0 == 0 })
            else { throw Malformed(why: "a region has no proper code") }
            let region = Region(
                country: String(decoding: country, as: UTF8.self), code: String(decoding: used, as: UTF8.self)
            )
            if let last = regions.last, (last.country, last.code) >= (region.country, region.code) {
                throw Malformed(why: "its regions are not in order")
            }
            regions.append(region)
        }
        return regions
    }

    private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
        UInt32(half(bytes, offset)) | UInt32(half(bytes, offset + 2)) << 16
    }

    private static func half(_ bytes: [UInt8], _ offset: Int) -> Int {
        Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    /// Cells of one degree, row by row from the south-west.
    enum Cell {
        static let count = 180 * 360

        static func row(_ latitude: Double) -> Int { min(max(Int((latitude + 90).rounded(.down)), 0), 179) }
    }

    /// Calls a function with each place of a cell.
    func forEach(row: Int, column: Int, _ body: (Place) -> Void) {
        let cell = row * 360 + column
        for number in Int(starts[cell])..<Int(starts[cell + 1]) { body(place(number, row, column)) }
    }

    /// Calls a function with each place of a cell between two latitudes.
    func forEach(row: Int, column: Int, from south: Double, to north: Double, _ body: (Place) -> Void) {
        let cell = row * 360 + column
        let edge = Double(row) - 90
        let first = Int(max((south - edge) * 65_536 - 1, 0))
        let last = Int(min((north - edge) * 65_536, 65_535))
        var (low, high) = (Int(starts[cell]), Int(starts[cell + 1]))
        let end = high
        while low < high {
            let middle = (low + high) / 2
            if step(middle) < first { low = middle + 1 } else { high = middle }
        }
        while low < end, step(low) <= last {
            body(place(low, row, column))
            low += 1
        }
    }

    /// How far north of its cell's edge a place lies.
    private func step(_ number: Int) -> Int { Self.half(bytes, placesStart + number * Self.placeSize) }

    /// Calls a function with each wide place of a cell.
    func forEachWide(row: Int, column: Int, _ body: (Place) -> Void) {
        let cell = row * 360 + column
        var (low, high) = (0, wide.count)
        while low < high {
            let middle = (low + high) / 2
            if wide[middle] < starts[cell] { low = middle + 1 } else { high = middle }
        }
        while low < wide.count, wide[low] < starts[cell + 1] {
            body(place(Int(wide[low]), row, column))
            low += 1
        }
    }

    private func place(_ number: Int, _ row: Int, _ column: Int) -> Place {
        let start = placesStart + number * Self.placeSize
        return Place(
            number: number,
            coordinates: Coordinates(
                Double(row) - 90 + (Double(Self.half(bytes, start)) + 0.5) / 65_536,
                Double(column) - 180 + (Double(Self.half(bytes, start + 2)) + 0.5) / 65_536),
            population: Int(Self.word(bytes, start + 4)), region: Self.half(bytes, start + 8))
    }

    /// The most populous place of a region.
    func capital(ofRegion region: Int) -> Place? { capital(capitals, region) }

    /// The most populous place of the country that a region belongs to.
    func capital(ofCountryOf region: Int) -> Place? { capital(countryCapitals, region) }

    private func capital(_ capitals: [Int?], _ region: Int) -> Place? {
        guard capitals.indices.contains(region), let number = capitals[region] else { return nil }
        // The last cell that begins at this place or before.
        var (low, high) = (0, Cell.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(starts[middle]) <= number { low = middle } else { high = middle }
        }
        return place(number, low / 360, low % 360)
    }

    /// All places, in the file's order.
    public var places: [Place] {
        var all: [Place] = []
        all.reserveCapacity(count)
        for row in 0..<180 {
            for column in 0..<360 { forEach(row: row, column: column) { all.append($0) } }
        }
        return all
    }
}
