internal import MeshProtocol
internal import RadioSimulator
internal import RigBase
internal import RunRecord

/// What the world knows about its nodes, as JSON for programs that check a client against it.
enum WorldState {
    /// One object `{"nodes": [...]}`; keys and names of contacts and channels, never a secret.
    static func json(of world: World, doors: [ServedCompanion]) -> String {
        var json = JSONText()
        json.object { json in
            json.key("nodes")
            json.array { json in
                for name in world.names { node(world.inspect(name), doors.first { $0.name == name }, &json) }
            }
        }
        return json.text + "\n"
    }

    private static func node(_ node: NodeSnapshot, _ door: ServedCompanion?, _ json: inout JSONText) {
        json.object { json in
            json.key("node")
            json.string(node.name)
            json.key("role")
            json.string(node.role.rawValue)
            json.key("on")
            json.bool(node.isOn)
            json.key("publicKey")
            json.string(Hex.encode(node.publicKey.bytes))
            json.key("clock")
            json.integer(node.clock)
            json.key("radio")
            json.object { json in
                json.key("frequencyKHz")
                json.integer(node.radio.frequencyKHz)
                json.key("bandwidthHz")
                json.integer(node.radio.bandwidthHz)
                json.key("spreadingFactor")
                json.integer(node.radio.spreadingFactor)
                json.key("codingRate")
                json.integer(node.radio.codingRate)
            }
            if let door {
                json.key("port")
                json.integer(door.tcp.port)
                if let terminal = door.terminal {
                    json.key("terminal")
                    json.string(terminal.path)
                }
            }
            if let companion = node.companion { tables(companion, &json) }
        }
    }

    private static func tables(_ companion: CompanionSnapshot, _ json: inout JSONText) {
        json.key("name")
        json.string(companion.displayName)
        json.key("position")
        json.object { json in
            json.key("latitude")
            json.integer(companion.position.latitude)
            json.key("longitude")
            json.integer(companion.position.longitude)
        }
        json.key("queued")
        json.integer(companion.offlineQueue.count)
        json.key("contacts")
        json.array { json in
            for contact in companion.contacts {
                json.object { json in
                    json.key("name")
                    json.string(contact.name)
                    json.key("publicKey")
                    json.string(Hex.encode(contact.key.bytes))
                    json.key("type")
                    json.integer(contact.type)
                    json.key("hops")
                    contact.pathLength.map { json.integer($0.hopCount) } ?? json.null()
                }
            }
        }
        json.key("channels")
        json.array { json in
            for channel in companion.channels {
                json.object { json in
                    json.key("index")
                    json.integer(channel.index)
                    json.key("name")
                    json.string(channel.name)
                }
            }
        }
    }
}
