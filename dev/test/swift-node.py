# One-node OpenStack Swift with its S3 API, for tests: account, container, object and proxy server in this one process,
# each on a free port of 127.0.0.1, everything they keep in a folder that its starter removes.
#
#   python3 swift.py FOLDER ACCOUNT USER SECRET REGION
#
# Prints the port of the S3 API when it answers, and ends when its standard input does.
import os
import sys

import eventlet
import eventlet.wsgi
from swift.common import utils

folder, account, user, secret, region = sys.argv[1:]

# First of all: what is imported below reads swift.conf, and the machine's own in /etc is not ours.
with open(os.path.join(folder, "swift.conf"), "w") as conf:
    conf.write("[swift-hash]\nswift_hash_path_suffix = maru\nswift_hash_path_prefix = maru\n")
    conf.write("[storage-policy:0]\nname = one\ndefault = yes\n")
utils.set_swift_dir(folder)

from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.wsgi import SwiftHttpProtocol, loadapp  # noqa: E402

# A machine that others load is slow, not broken: with the usual half second a listing would miss what was just put.
PATIENCE = "\nconn_timeout = 30\nnode_timeout = 60\ncontainer_update_timeout = 60\n"

PROXY = f"""
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
{PATIENCE}

[filter:s3api]
use = egg:swift#s3api
location = {region}

[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret} .admin

# tempauth insists on one; nothing listens there, so nothing is remembered between two requests.
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
"""
PLAIN = ["catch_errors", "gatekeeper", "healthcheck", "listing_formats", "bulk", "copy", "slo", "dlo"]


def start(name, text):
    """Serves what a configuration says, and gives the port."""
    path = os.path.join(folder, name + "-server.conf")
    with open(path, "w") as conf:
        conf.write(f"[DEFAULT]\nswift_dir = {folder}\ndevices = {folder}/devices\nmount_check = false\n{text}")
    app = loadapp(path, global_conf={"log_name": name})
    sock = eventlet.listen(("127.0.0.1", 0))
    # Clients look for ETag, and Etag is what the usual capitals make of it.
    served = {"protocol": SwiftHttpProtocol, "capitalize_response_headers": False}
    eventlet.spawn(eventlet.wsgi.server, sock, app, utils.NullLogger(), **served)
    return sock.getsockname()[1]


utils.eventlet_monkey_patch()
os.makedirs(os.path.join(folder, "devices", "one"))
for kind in ("account", "container", "object"):
    port = start(
        kind,
        f"[pipeline:main]\npipeline = {kind}-server\n[app:{kind}-server]\nuse = egg:swift#{kind}\n{PATIENCE}",
    )
    builder = RingBuilder(part_power=2, replicas=1, min_part_hours=0)
    place = {"region": 1, "zone": 1, "ip": "127.0.0.1", "port": port, "device": "one", "weight": 1}
    builder.add_dev({"id": 0, "replication_ip": "127.0.0.1", "replication_port": port, "meta": "", **place})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, kind + ".ring.gz"))

port = start("proxy", PROXY + "".join(f"\n[filter:{name}]\nuse = egg:swift#{name}\n" for name in PLAIN))
print(port, flush=True)
eventlet.tpool.execute(sys.stdin.read)
os._exit(0)
