extension Minimisation {
    /// What people are told, one phrase a table: `Location: latitude, longitude rounded to about 11 km; timestamp to the
    /// hour; 1 record in 10`.
    public var words: [String] {
        tables.sorted { $0.key < $1.key }.map { name, table in
            var phrases: [(words: String, columns: [String])] = []
            for (column, transform) in table.columns.sorted(by: { $0.key < $1.key }) {
                let words = transform.words(for: column)
                if let known = phrases.firstIndex(where: { $0.words == words }) {
                    phrases[known].columns.append(column)
                } else {
                    phrases.append((words, [column]))
                }
            }
            let parts =
                phrases.map { $0.columns.joined(separator: ", ") + " " + $0.words } + table.rows.words
            return "\(name): " + parts.joined(separator: "; ")
        }
    }
}

extension ColumnTransform {
    /// What happens to a column's values, as half a sentence that follows its name.
    public func words(for column: String) -> String {
        if isDropped { return "left out" }
        var parts: [String] = []
        if let resolution { parts.append("to the \(resolution.rawValue)") }
        if let decimals { parts.append("rounded to \(Self.step(decimals, column))") }
        if let length { parts.append(length == 1 ? "first letter only" : "first \(length) letters only") }
        if isHashed { parts.append("as a pseudonym that no other app is given") }
        if isStripped {
            parts.append("pictures alone, without the place, the time and the camera that they tell")
        }
        return parts.joined(separator: ", ")
    }

    /// The width of a step: a distance where the column is a degree on the globe, else a number.
    private static func step(_ decimals: Int, _ column: String) -> String {
        guard ["latitude", "longitude"].contains(column.lowercased()) else {
            return decimals > 0
                ? "0." + String(repeating: "0", count: decimals - 1) + "1"
                : "1" + String(repeating: "0", count: -decimals)
        }
        // A degree of latitude is about 111 km, and of longitude no more.
        switch decimals {
        case ...(-1): return "more than 1000 km"
        case 0: return "about 110 km"
        case 1: return "about 11 km"
        case 2: return "about 1 km"
        case 3: return "about 110 m"
        case 4: return "about 11 m"
        case 5: return "about 1 m"
        default: return "less than a metre"
        }
    }
}

extension RowRules {
    public var words: [String] {
        var parts: [String] = []
        if let part = personsPerMillion {
            parts.append("all or nothing, with a chance of \(Self.odds(part))")
        }
        if let part = recordsPerMillion { parts.append("a sample of \(Self.odds(part)) of its rows") }
        if let leastAlike { parts.append("only rows of which at least \(leastAlike) are alike") }
        return parts
    }

    private static func odds(_ millionths: Int) -> String {
        if 1_000_000 % millionths == 0 { return "1 in \(1_000_000 / millionths)" }
        let percent = Double(millionths) / 10_000
        return "\(percent.rounded() == percent ? String(Int(percent)) : String(percent)) %"
    }
}
