import EscrowMinimisation

extension ColumnExample {
    /// The ways in which people want such a column less exact, from the coarsest but one; the coarsest is to leave it out.
    var coarserChoices: [ColumnTransform] {
        func made(_ change: (inout ColumnTransform) -> Void) -> ColumnTransform {
            var transform = ColumnTransform()
            change(&transform)
            return transform
        }
        let hashed = made { $0.isHashed = true }
        let ways: [ColumnTransform] =
            switch kind {
            case .moment:
                [ColumnTransform.Resolution.year, .month, .day, .hour].map { step in
                    made { $0.resolution = step }
                }
            case .text where isDate:
                [ColumnTransform.Resolution.year, .month].map { step in made { $0.resolution = step } } + [
                    hashed
                ]
            case .text: [1, 3, 6].map { count in made { $0.length = count } } + [hashed]
            case .real: (isDegree ? [0, 1, 2, 3] : [-1, 0, 1]).map { step in made { $0.decimals = step } }
            case .integer: [-3, -2, -1].map { step in made { $0.decimals = step } } + [hashed]
            case .file: [made { $0.isStripped = true }]
            case .other: []
            }
        return ways + [.drop]
    }

    /// A condition on it, as it could be typed.
    var conditionExample: String {
        switch kind {
        case .text: isDate ? "\(name) >= '2000-01-01'" : "\(name) LIKE 'A%'"
        case .moment: "\(name) >= '2026-01-01'"
        case .integer, .real: "\(name) > 10"
        case .file, .other: "\(name) IS NOT NULL"
        }
    }

    private var isDegree: Bool { ["latitude", "longitude"].contains(name.lowercased()) }

    /// Whether it is a date that stands in text: `1996-04-15`.
    private var isDate: Bool {
        guard let value = plain else { return ["birthday", "date"].contains(name.lowercased()) }
        let bytes = Array(value.utf8)
        return bytes.count == 10 && bytes[4] == 0x2D && bytes[7] == 0x2D
            && bytes.enumerated().allSatisfy { [4, 7].contains($0) || (0x30...0x39).contains($1) }
    }
}
