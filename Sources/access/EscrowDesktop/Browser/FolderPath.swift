/// The folders that a bookmark lies in, as one text.
enum FolderPath {
    /// The most bytes of a path, and of a folder's title.
    static let limit = 4_096

    /// Titles from the outermost on, joined with slashes up to the limit.
    static func joined(_ titles: some Sequence<[UInt8]>) -> [UInt8] {
        var path: [UInt8] = []
        for (index, title) in titles.enumerated() where path.count <= limit {
            if index > 0 { path.append(UInt8(ascii: "/")) }
            path += cut(title)
        }
        return Array(cut(path))
    }

    /// What the limit leaves of a text. A character that it would divide goes as a whole.
    static func cut(_ text: [UInt8]) -> ArraySlice<UInt8> {
        guard text.count > limit else { return text[...] }
        var end = limit
        while end > limit - 4, text[end] & 0xC0 == 0x80 { end -= 1 }
        return text[..<end]
    }
}
