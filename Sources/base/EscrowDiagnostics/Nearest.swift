/// The name that was meant by one that does not exist.
public enum Nearest {
    /// The known name that is spelt nearly so, whatever the case of its letters; nil if none is near.
    public static func name(to text: String, among known: [String]) -> String? {
        let word = Array(text.lowercased().utf8)
        let most = word.count < 4 ? 1 : 2
        var best: (distance: Int, name: String)?
        for name in known {
            let distance = distance(word, Array(name.lowercased().utf8))
            if distance <= most, distance < best?.distance ?? .max { best = (distance, name) }
        }
        return best?.name
    }

    /// The known names of which the text is the last or first word: `givenName` and `familyName` of `name`.
    public static func names(with text: String, among known: [String]) -> [String] {
        let word = text.lowercased()
        guard word.utf8.count >= 3 else { return [] }
        return known.filter { name in
            let lower = name.lowercased()
            guard lower != word else { return false }
            if lower.hasSuffix(word) {
                return name.dropFirst(name.count - word.count).first?.isUppercase == true
            }
            return lower.hasPrefix(word) && name.dropFirst(word.count).first?.isUppercase == true
        }
    }

    /// How many letters must be put in, left out or replaced; two neighbours in the wrong order count as one.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        guard left.count <= 64, right.count <= 64 else { return .max }
        var before: [Int] = []
        var row = Array(0...right.count)
        for i in left.indices {
            var next = [i + 1] + Array(repeating: 0, count: right.count)
            for j in right.indices {
                next[j + 1] = min(
                    row[j] + (left[i] == right[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    next[j + 1] = min(next[j + 1], before[j - 1] + 1)
                }
            }
            (before, row) = (row, next)
        }
        return row[right.count]
    }
}
