import EscrowConsent
package import EscrowHost

/// Rows on a terminal, of which somebody picks some: words search, numbers pick.
package struct Picking {
    private let question: PickQuestion
    private static let mostShown = 20

    package init(_ question: PickQuestion) { self.question = question }

    /// The places of those that were picked; nil where the input ended, or `q` was typed.
    package func ask() -> [Int]? {
        let app = PlainText.neutral(question.app, longest: 128)
        Console.say(
            "\(PlainText.neutral(question.plugin, longest: 80)) of \(app) is given only what you pick here")
        var found = Array(question.rows.indices)
        while true {
            show(found)
            Console.say(
                "numbers pick (at most \(question.most)), words search, an empty line shows all, q ends without"
            )
            guard let line = readLine() else { return nil }
            let words = line.split(whereSeparator: { $0 == " " || $0 == "," })
            if line == "q" { return nil }
            let numbers = words.compactMap { Int($0) }
            guard !words.isEmpty, numbers.count == words.count else {
                found = PickQuestion.search(line, in: question.rows)
                if found.isEmpty { Console.say("nothing has these words") }
                continue
            }
            let places = Set(numbers.map { $0 - 1 })
            guard places.count <= question.most, places.allSatisfy(question.rows.indices.contains) else {
                Console.say("these are not up to \(question.most) numbers of the list")
                continue
            }
            return places.sorted()
        }
    }

    private func show(_ found: [Int]) {
        for place in found.prefix(Self.mostShown) { Console.say("  \(place + 1)  \(question.rows[place])") }
        if found.count > Self.mostShown { Console.say("  and \(found.count - Self.mostShown) more") }
    }
}
