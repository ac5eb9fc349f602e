internal import EscrowSchema
internal import EscrowTabular

/// The tables that vCards serve.
enum ContactsSpec {
    enum Column: Int, CaseIterable {
        case id, contactType, givenName, middleName, familyName, namePrefix, nameSuffix, nickname, fullName
        case organizationName, departmentName, jobTitle, phoneNumber, emailAddress, urlAddress, birthday, note
        case imageDataAvailable, modificationDate
    }

    static let contacts = TableSpec(
        name: "Contacts", sourceKind: "contacts",
        summary: "One row is one contact: one card of a vCard file.",
        columns: [
            ColumnSpec(
                "id", .text, nullable: false,
                "The card's UID; without one, a name made of the file's path and the card's number in it."),
            ColumnSpec("contactType", .integer, nullable: false, "0 for a person, 1 for an organization."),
            ColumnSpec("givenName", .text, "The given name, for example `Ada`."),
            ColumnSpec("middleName", .text, "The middle or additional names."),
            ColumnSpec("familyName", .text, "The family name, for example `Lovelace`."),
            ColumnSpec("namePrefix", .text, "What stands before the name, for example `Dr.`."),
            ColumnSpec("nameSuffix", .text, "What stands after the name, for example `Jr.`."),
            ColumnSpec("nickname", .text, "The nickname."),
            ColumnSpec(
                "fullName", .text,
                "The name as it is displayed; if the card has none, its parts joined with spaces."),
            ColumnSpec("organizationName", .text, "The organization the contact belongs to."),
            ColumnSpec("departmentName", .text, "The first unit within the organization."),
            ColumnSpec("jobTitle", .text, "The contact's position."),
            ColumnSpec(
                "phoneNumber", .text,
                "The preferred phone number, else the first, as the card spells it; all are in ContactPhoneNumbers."
            ),
            ColumnSpec(
                "emailAddress", .text,
                "The preferred e-mail address, else the first; all are in ContactEmailAddresses."),
            ColumnSpec("urlAddress", .text, "The preferred web address, else the first."),
            ColumnSpec(
                "birthday", .text,
                "The birthday as an ISO date: `1996-04-15`, `--04-15` without a year, `1996-04` or `1996`; or in words, `circa 1800`."
            ),
            ColumnSpec("note", .text, "Free text about the contact."),
            ColumnSpec("imageDataAvailable", .boolean, nullable: false, "Whether the card has a picture."),
            ColumnSpec("modificationDate", .timestamp, "When the card says it was last revised."),
        ],
        examples: [
            "SELECT id, givenName, familyName, phoneNumber FROM Contacts ORDER BY familyName, givenName",
            "SELECT fullName, birthday FROM Contacts WHERE birthday LIKE '%-04-__'",
            "SELECT count(*) AS contacts, count(phoneNumber) AS withPhone FROM Contacts WHERE contactType = 0",
        ])

    /// The positions that the three child tables share; their own columns follow.
    enum ChildColumn: Int {
        case contactID, position, label, isPreferred, first
    }

    static let phoneNumbers = TableSpec(
        name: "ContactPhoneNumbers", sourceKind: "contacts",
        summary: "One row is one phone number of a contact.",
        columns: child + [
            ColumnSpec("phoneNumber", .text, nullable: false, "The number as the card spells it.")
        ],
        examples: [
            "SELECT contactID, phoneNumber FROM ContactPhoneNumbers WHERE label = 'mobile'",
            """
            SELECT c.fullName, p.label, p.phoneNumber FROM Contacts AS c \
            JOIN ContactPhoneNumbers AS p ON p.contactID = c.id ORDER BY c.fullName, p.position
            """,
        ])

    static let emailAddresses = TableSpec(
        name: "ContactEmailAddresses", sourceKind: "contacts",
        summary: "One row is one e-mail address of a contact.",
        columns: child + [
            ColumnSpec("emailAddress", .text, nullable: false, "The address as the card spells it.")
        ],
        examples: [
            "SELECT emailAddress FROM ContactEmailAddresses WHERE label = 'work'",
            "SELECT contactID, count(*) AS addresses FROM ContactEmailAddresses GROUP BY contactID HAVING count(*) > 1",
        ])

    static let postalAddresses = TableSpec(
        name: "ContactPostalAddresses", sourceKind: "contacts",
        summary: "One row is one postal address of a contact.",
        columns: child + [
            ColumnSpec("street", .text, "Street and number."),
            ColumnSpec("city", .text, "The city."),
            ColumnSpec("state", .text, "The state, province or region."),
            ColumnSpec("postalCode", .text, "The postal code."),
            ColumnSpec("country", .text, "The country's name."),
            ColumnSpec("postOfficeBox", .text, "The post office box."),
            ColumnSpec("extendedAddress", .text, "Apartment, suite or floor."),
        ],
        examples: [
            "SELECT country, count(*) AS addresses FROM ContactPostalAddresses GROUP BY country ORDER BY addresses DESC",
            "SELECT contactID, street, postalCode, city FROM ContactPostalAddresses WHERE city = 'Springfield'",
        ])

    private static let child: [ColumnSpec] = [
        ColumnSpec("contactID", .text, nullable: false, "The `id` of the contact in Contacts."),
        ColumnSpec(
            "position", .integer, nullable: false,
            "1 for the contact's preferred one, which Contacts shows, then 2, 3 and so on."),
        ColumnSpec(
            "label", .text, "`home`, `work`, `mobile`, `main`, `pager`, `home fax`, or the person's own word."
        ),
        ColumnSpec("isPreferred", .boolean, nullable: false, "Whether the card marks it as preferred."),
    ]
}
