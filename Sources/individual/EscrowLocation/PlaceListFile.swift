import EscrowDiagnostics
public import EscrowJSON
import EscrowLocationPrivacy

/// What is known of a list without its places.
public struct PlaceListEntry: Sendable, Equatable {
    public let name: String
    /// How many places it has.
    public let places: Int
    /// How far they lie apart at least, in metres.
    public let apart: Double

    /// For the file and `--format json`.
    public var json: JSONValue {
        ["name": .string(name), "places": .integer(Int64(places)), "apart": .real(apart)]
    }

    init(name: String, places: Int, apart: Double) {
        (self.name, self.places, self.apart) = (name, places, apart)
    }

    init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        self.init(
            name: try object.required("name").requireString(),
            places: Int(clamping: try object.required("places").requireInteger()),
            apart: try object.required("apart").requireReal())
        try object.finish()
        guard Self.isName(name), (1...PlaceList.most).contains(places), PlaceList.apartRange.contains(apart)
        else { throw JSONError(.wrongType(expected: "a list of places"), at: node.position) }
    }

    /// Whether `snap` can name it so; `towns` is the gazetteer's.
    static func isName(_ name: String) -> Bool {
        name != Mechanism.towns && (try? Mechanism("snap(\(name))")) == .snap(list: name)
    }
}

/// `location.places.NAME.json` of a home: strict, versioned, replaced in one step.
struct PlaceListFile {
    let list: PlaceList

    static let maximumBytes = 2 << 20

    init(_ list: PlaceList) { self.list = list }

    var bytes: [UInt8] {
        JSONWriter.document([
            "escrow-places": 1, "apart": .real(list.apart),
            "places": .array(list.places.map { .array([.real($0.latitude), .real($0.longitude)]) }),
        ])
    }

    init(_ bytes: [UInt8]) throws(JSONError) {
        var file = try JSONObjectReader(
            try JSONParser.parse(bytes, limits: .init(depth: 4, bytes: Self.maximumBytes, values: 100_000)))
        let version = try file.required("escrow-places")
        guard try version.requireInteger() == 1 else {
            throw JSONError(.wrongType(expected: "version 1 of this file"), at: version.position)
        }
        let apart = try file.required("apart").requireReal()
        let node = try file.required("places")
        var places: [Coordinates] = []
        for item in try node.requireArray() {
            let pair = try item.requireArray()
            guard pair.count == 2,
                let place = Coordinates(
                    latitude: try pair[0].requireReal(), longitude: try pair[1].requireReal())
            else { throw JSONError(.wrongType(expected: "a place"), at: item.position) }
            places.append(place)
        }
        // How far they lie apart decides how much the list tells, so it is not taken from the file's word.
        guard let list = PlaceList(places, apart: apart), list.places == places else {
            throw JSONError(
                .wrongType(expected: "places that lie apart, from south to north"), at: node.position)
        }
        self.list = list
        try file.finish()
    }
}

extension Diagnostic {
    /// E1186.
    static func noSuchPlaceList(_ name: String) -> Diagnostic {
        Diagnostic(
            .noSuchPlaceList, "there is no list of places named \(name)",
            help:
                "see which there are: escrow location places list; add it: escrow location places add \(name) FILE"
        )
    }
}
