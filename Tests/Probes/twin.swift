// An honest plugin in Swift, as a static executable with FoundationEssentials.
import FoundationEssentials

struct Row: Codable {
    let name: String
    let number: Int
}

var rows: [Row] = []
while let line = readLine() {
    let parts = line.split(separator: " ")
    rows.append(Row(name: parts.last.map(String.init) ?? "", number: Int(parts.first ?? "") ?? 0))
}
let start = ContinuousClock.now
rows.shuffle()
rows.sort { $0.number < $1.number }
let groups = Dictionary(grouping: rows, by: \.name.count)
var sums: [Double] = []
for index in 0..<100_000 { sums.append(Double(index).squareRoot()) }
let year = Calendar(identifier: .gregorian).component(.year, from: Date())
precondition(year > 2000 && ContinuousClock.now >= start && UUID().uuidString.count == 36)
if rows.contains(where: { $0.name == "fail" }) { fatalError("asked to") }
let text = try JSONEncoder().encode(rows)
print(try JSONDecoder().decode([Row].self, from: text).count, groups.count, sums.count)
