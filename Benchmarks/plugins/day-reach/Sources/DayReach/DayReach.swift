/// For each day, how many points there are and how far apart they lie: the diagonal of the box around them.
///
/// The same code computes in the plugin and in the baseline that it is measured beside. Its memory grows with the days
/// and not with the points, and the order of the points does not count.
public struct DayReach {
    private struct Box {
        var points = 0
        var south = Double.infinity
        var north = -Double.infinity
        var west = Double.infinity
        var east = -Double.infinity
    }

    private var boxes: [Box] = []
    private var places: [Int: Int] = [:]
    /// The day that the last point was of, and where its box is: points mostly come day by day.
    private var last = (day: Int.min, place: 0)

    /// No points yet.
    public init() {}

    /// Takes in a point; `day` counts from 1970-01-01, the coordinates are in degrees.
    public mutating func add(day: Int, latitude: Double, longitude: Double) {
        if day != last.day { last = (day, place(of: day)) }
        boxes[last.place].points += 1
        boxes[last.place].south = min(boxes[last.place].south, latitude)
        boxes[last.place].north = max(boxes[last.place].north, latitude)
        boxes[last.place].west = min(boxes[last.place].west, longitude)
        boxes[last.place].east = max(boxes[last.place].east, longitude)
    }

    private mutating func place(of day: Int) -> Int {
        if let place = places[day] { return place }
        places[day] = boxes.count
        boxes.append(Box())
        return boxes.count - 1
    }

    /// The days, in order: points, and kilometres on a sphere of the earth's mean radius, rounded to a tenth.
    public var days: [(day: Int, points: Int, kilometres: Double)] {
        places.sorted { $0.key < $1.key }.map { day, place in
            let box = boxes[place]
            let kilometresPerDegree = 6371.0088 * Double.pi / 180
            let high = (box.north - box.south) * kilometresPerDegree
            // One degree of longitude is shorter towards the poles; half way is near enough for a box of a day.
            let wide = (box.east - box.west) * kilometresPerDegree * Self.cosine((box.north + box.south) / 2)
            return (day, box.points, ((high * high + wide * wide).squareRoot() * 10).rounded() / 10)
        }
    }

    /// The cosine of -90 to 90 degrees, by its series: no C library, so that both sides get the same last digit.
    private static func cosine(_ degrees: Double) -> Double {
        let square = (degrees * Double.pi / 180) * (degrees * Double.pi / 180)
        var term = 1.0
        var sum = 1.0
        for step in stride(from: 1.0, through: 19, by: 2) {
            term *= -square / (step * (step + 1))
            sum += term
        }
        return sum
    }
}
