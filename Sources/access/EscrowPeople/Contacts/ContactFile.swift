/// What a listed file of contacts is.
enum ContactFile {
    /// A file of vCards.
    static let cards: UInt8 = 0
    /// A program's database.
    static let addressBook: UInt8 = 1
}
