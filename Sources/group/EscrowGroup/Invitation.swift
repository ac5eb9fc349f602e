public import EscrowJSON

/// A letter that is handed over by hand: who wrote it, and what they sealed. The two people compare the code of the owner's
/// introduction by word of mouth, so that nobody can put another's in its place.
public struct Invitation: Sendable, Equatable {
    public let owner: Introduction
    public let letter: [UInt8]

    public init(owner: Introduction, letter: [UInt8]) {
        self.owner = owner
        self.letter = letter
    }

    public var json: JSONValue { ["owner": owner.json, "letter": .string(Base64.encode(letter))] }

    public init(_ bytes: [UInt8]) throws(GroupError) {
        do throws(any Error) {
            var reader = try JSONObjectReader(JSONParser.parse(bytes, limits: .init(bytes: 256 << 20)))
            owner = try Introduction(reader.required("owner"))
            guard let letter = Base64.decode(try reader.required("letter").requireString()) else {
                throw GroupError.malformed
            }
            self.letter = letter
            try reader.finish()
        } catch {
            throw .malformed
        }
    }
}
