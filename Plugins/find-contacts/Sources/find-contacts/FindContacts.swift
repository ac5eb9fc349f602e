import ContactMatching
import EscrowJSON
import EscrowPlugin

/// Which contacts use a service, by private set intersection: the service learns how many there are; nobody learns a number that
/// only one side has.
@main struct FindContacts: ComputePlugin {
    func compute(_ run: borrowing Run) throws -> Result {
        var phones: Set<String> = []
        for row in run.rows {
            if let phone = PhoneNumber.spelled(try row.text("phone")) { phones.insert(phone) }
        }
        guard !phones.isEmpty else {
            throw Refusal(.notEnoughData, "there is no number to compare")
        }
        let blinding = Blinding()
        // In the order of the blinded points, which has nothing of the order of the numbers.
        let asked = phones.map { (point: Hex.string(blinding.blinded($0)), phone: $0) }
            .sorted { $0.point < $1.point }
        let answer = try run.fetch("discover", ["point": .list(asked.map { .text($0.point) })])
        guard [200, 201].contains(answer.status) else {
            throw Refusal(.other, "the server answered \(answer.status)")
        }
        // Our points come back in our order, each multiplied; beside them stand all users.
        let limits = JSONParser.Limits(depth: 2, bytes: 4 << 20)
        guard let parsed = try? JSONParser.parse(answer.body, limits: limits).value,
            let points = parsed["points"]?.array, points.count == asked.count,
            let users = parsed["users"]?.array
        else { throw Refusal(.other, "the server's answer is no answer to this") }
        let known = Set(users.compactMap(\.string))
        var table = Table()
        for (contact, answered) in zip(asked, points) {
            guard let text = answered.string, let point = Hex.read(text.utf8),
                let product = blinding.unblinded(point)
            else { throw Refusal(.other, "the server answered a point by what is no point") }
            if known.contains(Hex.string(product)) { try table.append([.text(contact.phone)]) }
        }
        return .table(table)
    }
}
