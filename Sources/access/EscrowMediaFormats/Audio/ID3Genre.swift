internal import EscrowFormats

/// The numbered genres of ID3v1, with Winamp's additions, and the ways in which ID3v2 refers to them.
enum ID3Genre {
    /// The name of a number.
    static func name(_ number: Int) -> ArraySlice<UInt8>? {
        names.indices.contains(number) ? Array(names[number].utf8)[...] : nil
    }

    /// The genres that one value of a genre frame names: `17`, `(17)`, `(4)Eurodisco`, `(51)(39)`, or any text.
    static func read(_ value: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let value = value.trimmed
        if let number = value.decimal, value.count <= 3, let name = name(number) { return [name] }
        if value.elementsEqual("RX".utf8) { return [Array("Remix".utf8)[...]] }
        if value.elementsEqual("CR".utf8) { return [Array("Cover".utf8)[...]] }
        var genres: [ArraySlice<UInt8>] = []
        var rest = value
        while rest.first == UInt8(ascii: "("), let end = rest.firstIndex(of: UInt8(ascii: ")")) {
            // Two opening brackets stand for one in the text that follows.
            if rest.dropFirst().first == UInt8(ascii: "(") {
                rest = rest.dropFirst()
                break
            }
            let inner = rest[rest.index(after: rest.startIndex)..<end]
            guard let genre = reference(inner) else { break }
            genres.append(genre)
            rest = rest[rest.index(after: end)...]
        }
        // A refinement names the genre again, in the writer's own words.
        if !rest.isEmpty, !genres.contains(where: { $0.elementsEqual(rest) }) { genres.append(rest) }
        return genres
    }

    private static func reference(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        if text.elementsEqual("RX".utf8) { return Array("Remix".utf8)[...] }
        if text.elementsEqual("CR".utf8) { return Array("Cover".utf8)[...] }
        guard text.count <= 3, let number = text.decimal else { return nil }
        return name(number)
    }

    private static let names = [
        "Blues", "Classic Rock", "Country", "Dance", "Disco", "Funk", "Grunge", "Hip-Hop", "Jazz", "Metal",
        "New Age", "Oldies", "Other", "Pop", "R&B", "Rap", "Reggae", "Rock", "Techno", "Industrial",
        "Alternative", "Ska", "Death Metal", "Pranks", "Soundtrack", "Euro-Techno", "Ambient", "Trip-Hop",
        "Vocal", "Jazz+Funk", "Fusion", "Trance", "Classical", "Instrumental", "Acid", "House", "Game",
        "Sound Clip", "Gospel", "Noise", "Alt. Rock", "Bass", "Soul", "Punk", "Space", "Meditative",
        "Instrumental Pop", "Instrumental Rock", "Ethnic", "Gothic", "Darkwave", "Techno-Industrial",
        "Electronic", "Pop-Folk", "Eurodance", "Dream", "Southern Rock", "Comedy", "Cult", "Gangsta Rap",
        "Top 40", "Christian Rap", "Pop/Funk", "Jungle", "Native American", "Cabaret", "New Wave",
        "Psychedelic", "Rave", "Showtunes", "Trailer", "Lo-Fi", "Tribal", "Acid Punk", "Acid Jazz", "Polka",
        "Retro", "Musical", "Rock & Roll", "Hard Rock", "Folk", "Folk-Rock", "National Folk", "Swing",
        "Fast-Fusion", "Bebop", "Latin", "Revival", "Celtic", "Bluegrass", "Avantgarde", "Gothic Rock",
        "Progressive Rock", "Psychedelic Rock", "Symphonic Rock", "Slow Rock", "Big Band", "Chorus",
        "Easy Listening", "Acoustic", "Humour", "Speech", "Chanson", "Opera", "Chamber Music", "Sonata",
        "Symphony", "Booty Bass", "Primus", "Porn Groove", "Satire", "Slow Jam", "Club", "Tango", "Samba",
        "Folklore", "Ballad", "Power Ballad", "Rhythmic Soul", "Freestyle", "Duet", "Punk Rock", "Drum Solo",
        "A Cappella", "Euro-House", "Dance Hall", "Goa", "Drum & Bass", "Club-House", "Hardcore", "Terror",
        "Indie", "BritPop", "Afro-Punk", "Polsk Punk", "Beat", "Christian Gangsta Rap", "Heavy Metal",
        "Black Metal", "Crossover", "Contemporary Christian", "Christian Rock", "Merengue", "Salsa",
        "Thrash Metal", "Anime", "JPop", "Synthpop", "Abstract", "Art Rock", "Baroque", "Bhangra", "Big Beat",
        "Breakbeat", "Chillout", "Downtempo", "Dub", "EBM", "Eclectic", "Electro", "Electroclash", "Emo",
        "Experimental", "Garage", "Global", "IDM", "Illbient", "Industro-Goth", "Jam Band", "Krautrock",
        "Leftfield", "Lounge", "Math Rock", "New Romantic", "Nu-Breakz", "Post-Punk", "Post-Rock",
        "Psytrance", "Shoegaze", "Space Rock", "Trop Rock", "World Music", "Neoclassical", "Audiobook",
        "Audio Theatre", "Neue Deutsche Welle", "Podcast", "Indie Rock", "G-Funk", "Dubstep", "Garage Rock",
        "Psybient",
    ]
}
