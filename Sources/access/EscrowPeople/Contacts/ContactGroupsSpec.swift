internal import EscrowSchema
internal import EscrowTabular

/// The tables of groups and containers. All columns are text.
enum ContactGroupsSpec {
    static let groups = TableSpec(
        name: "ContactGroups", sourceKind: "contacts",
        summary: "One row is one group: a list that the person made, or a category that cards name.",
        columns: [
            ColumnSpec(
                "id", .text, nullable: false,
                "The group card's UID; without one, a name made of the file's path or of the container and the category."
            ),
            ColumnSpec("name", .text, "The name as it is displayed."),
            ColumnSpec("containerID", .text, nullable: false, "The `id` of its container."),
        ],
        examples: [
            "SELECT id, name FROM ContactGroups ORDER BY name",
            """
            SELECT g.name, count(*) AS members FROM ContactGroups AS g \
            JOIN ContactGroupMembers AS m ON m.groupID = g.id GROUP BY g.id
            """,
        ])

    static let groupMembers = TableSpec(
        name: "ContactGroupMembers", sourceKind: "contacts",
        summary: "One row is one contact in one group.",
        columns: [
            ColumnSpec("groupID", .text, nullable: false, "The `id` of the group in ContactGroups."),
            ColumnSpec("contactID", .text, nullable: false, "The `id` of the contact in Contacts."),
        ],
        examples: [
            "SELECT groupID, count(*) AS members FROM ContactGroupMembers GROUP BY groupID",
            """
            SELECT c.fullName FROM ContactGroups AS g JOIN ContactGroupMembers AS m ON m.groupID = g.id \
            JOIN Contacts AS c ON c.id = m.contactID WHERE g.name = 'Family'
            """,
        ])

    static let containers = TableSpec(
        name: "ContactContainers", sourceKind: "contacts",
        summary:
            "One row is one address book: a program's database, a folder of vCard files, or a vCard file that is a source.",
        columns: [
            ColumnSpec("id", .text, nullable: false, "A name made of the path."),
            ColumnSpec(
                "name", .text, nullable: false, "The name of the folder, or of the file without its ending."),
        ],
        examples: [
            "SELECT id, name FROM ContactContainers ORDER BY name",
            """
            SELECT b.name, count(*) AS contacts FROM ContactContainers AS b \
            JOIN ContactContainerMembers AS m ON m.containerID = b.id GROUP BY b.id
            """,
        ])

    static let containerMembers = TableSpec(
        name: "ContactContainerMembers", sourceKind: "contacts",
        summary: "One row is one contact with the address book that it lies in.",
        columns: [
            ColumnSpec(
                "containerID", .text, nullable: false, "The `id` of the address book in ContactContainers."),
            ColumnSpec("contactID", .text, nullable: false, "The `id` of the contact in Contacts."),
        ],
        examples: [
            "SELECT containerID, count(*) AS contacts FROM ContactContainerMembers GROUP BY containerID",
            """
            SELECT c.fullName FROM ContactContainerMembers AS m JOIN Contacts AS c ON c.id = m.contactID \
            ORDER BY m.containerID, c.fullName
            """,
        ])
}
