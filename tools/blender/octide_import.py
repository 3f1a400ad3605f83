"""Opens the surfaces of an octide run in Blender, 3.4 or newer, as one object that changes with the frame.

    blender --python octide_import.py -- RUN_DIR
    blender -b --python octide_import.py -o //water-#### -a -- RUN_DIR --stage

In Blender's Text editor: open this file, set RUN_DIR below, press Run Script.

Every frame is a mesh of its own, with other vertices and faces than the one before. So the object keeps one mesh that
a handler fills anew from RUN_DIR/surface/NNNN.ply whenever Blender goes to another frame. Only the frame shown is in
memory and in the .blend file, besides a few parsed ones. The object remembers folder and numbering as custom
properties, and the .blend file carries this script, so that it works again after it is saved and opened.

Spray is a second object, whose points are shown as balls with the radius that each drop has in particles/NNNN.ply.

Needs nothing but Blender's own Python: distributions ship Blender without numpy.
"""

import argparse
import ast
import math
import os
import re
import struct
import sys
from array import array
from collections import OrderedDict, namedtuple

import bpy
from bpy.app.handlers import persistent
from mathutils import Vector

RUN_DIR = ""  # for the Text editor: the run's folder, such as "/home/me/runs/water-drop-001"
FRAME_START = 1  # the frame in Blender that shows the run's first surface
STAGE = False  # whether a floor, a sun and the scene's camera are added

CACHE_FRAMES = 8  # parsed frames kept in memory
SMOOTH_BELOW = math.radians(50)  # edges sharper than this stay edges: the rim where water meets a wall

EMBEDDED = False  # set in the copy that a .blend file carries: it brings the handlers and imports nothing

SCRIPT, COPY = "octide_import.py", "octide_handlers.py"
RUN, FIRST, START = "octide_run", "octide_first_file", "octide_frame_start"  # on the object
SPRAY = "octide_spray"  # on the object of the drops
SHOWN = "octide_shown"  # on its mesh


class Problem(Exception):
    """What went wrong, in words for the user."""


# The files of a run

Surface = namedtuple("Surface", "n_vertices n_faces up positions velocities corners")
PROPERTIES = ["x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz"]
VERTEX_BYTES, FACE_BYTES = 4 * len(PROPERTIES), 1 + 3 * 4


def read_surface(path):
    """A surface/NNNN.ply as octide writes it; Problem for anything else."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as e:
        raise Problem(f"{path} cannot be read: {e.strerror}") from e
    head, end, body = data.partition(b"end_header\n")
    lines = head.decode("ascii", "replace").splitlines()
    if not end or lines[:2] != ["ply", "format binary_little_endian 1.0"]:
        raise Problem(f"{path} is not a binary little-endian PLY file")
    up, counts, properties = "y", {}, []
    for words in map(str.split, lines[2:]):
        if words[:2] == ["comment", "up"]:
            up = words[-1]
        elif words[:1] == ["element"] and len(words) == 3 and words[2].isdigit():
            counts[words[1]] = int(words[2])
        elif words[:2] == ["property", "float"]:
            properties.append(words[-1])
    if properties != PROPERTIES or set(counts) != {"vertex", "face"} or up not in ("y", "z"):
        raise Problem(f"{path} does not hold a liquid surface of octide")
    n_vertices, n_faces = counts["vertex"], counts["face"]
    split = VERTEX_BYTES * n_vertices
    if len(body) != split + FACE_BYTES * n_faces:
        raise Problem(f"{path} is cut short or too long: its length does not match its header")

    floats = little_endian("f", body[:split])
    # Extended slices move whole columns without a loop in Python.
    positions, velocities = array("f", bytes(12 * n_vertices)), array("f", bytes(12 * n_vertices))
    for axis in range(3):
        positions[axis::3] = floats[axis :: len(PROPERTIES)]
        velocities[axis::3] = floats[6 + axis :: len(PROPERTIES)]
    faces = bytearray(body[split:])
    if faces[::FACE_BYTES] != b"\x03" * n_faces:
        raise Problem(f"{path} has a face that is not a triangle")
    del faces[::FACE_BYTES]
    corners = little_endian("i", faces)
    if n_faces and (min(corners) < 0 or max(corners) >= n_vertices):
        raise Problem(f"{path} has a face over a vertex that is not there")
    return Surface(n_vertices, n_faces, up, positions, velocities, corners)


Spray = namedtuple("Spray", "n up positions velocities radii")
PARTICLE = ["float x", "float y", "float z", "float vx", "float vy", "float vz", "float radius", "uchar kind", "uint id"]
PARTICLE_ROW = struct.Struct("<7fBI")
SPRAY_KIND = 1
NO_SPRAY = Spray(0, "y", array("f"), array("f"), array("f"))


def read_spray(path):
    """The drops in a particles/NNNN.ply as octide writes it; Problem for anything else."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as e:
        raise Problem(f"{path} cannot be read: {e.strerror}") from e
    head, end, body = data.partition(b"end_header\n")
    lines = head.decode("ascii", "replace").splitlines()
    if not end or lines[:2] != ["ply", "format binary_little_endian 1.0"]:
        raise Problem(f"{path} is not a binary little-endian PLY file")
    up, n, properties = "y", None, []
    for line in lines[2:]:
        words = line.split()
        if words[:2] == ["comment", "up"]:
            up = words[-1]
        elif words[:2] == ["element", "vertex"] and len(words) == 3 and words[2].isdigit():
            n = int(words[2])
        elif words[:1] == ["property"]:
            properties.append(" ".join(words[1:]))
    if n is None or properties != PARTICLE or up not in ("y", "z"):
        raise Problem(f"{path} does not hold particles of octide")
    if len(body) != n * PARTICLE_ROW.size:
        raise Problem(f"{path} is cut short or too long: its length does not match its header")
    positions, velocities, radii = array("f"), array("f"), array("f")
    for x, y, z, vx, vy, vz, radius, kind, _ in PARTICLE_ROW.iter_unpack(body):
        if kind == SPRAY_KIND:
            positions.extend((x, y, z))
            velocities.extend((vx, vy, vz))
            radii.append(radius)
    return Spray(len(radii), up, positions, velocities, radii)


def spray_files(run):
    """The numbers of the files of particles that are there, with their paths; none if the run wrote none."""
    folder = os.path.join(run, "particles")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return {int(name[:-4]): os.path.join(folder, name) for name in sorted(names) if re.fullmatch(r"\d{4,}\.ply", name)}


def little_endian(kind, data):
    values = array(kind, bytes(data))
    if sys.byteorder == "big":
        values.byteswap()
    return values


def surface_files(run):
    """The numbers of the surfaces that are there, with their paths, in order."""
    folder = os.path.join(run, "surface")
    try:
        names = os.listdir(folder)
    except OSError as e:
        raise Problem(f"{folder} cannot be read: {e.strerror}; give the folder that octide run wrote") from e
    return {int(name[:-4]): os.path.join(folder, name) for name in sorted(names) if re.fullmatch(r"\d{4,}\.ply", name)}


def read_scene(run):
    """The values of scene.toml by `section.key`. Octide writes one value a line; what is no number, list or text is
    left out, and without the file there are none."""
    values, section = {}, ""
    try:
        with open(os.path.join(run, "scene.toml"), encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError):
        return values
    for line in map(str.strip, lines):
        if line.startswith("["):
            section = line.strip("[] ") + "."
            continue
        key, equals, value = line.partition("=")
        if equals and not key.startswith("#"):
            try:
                values[section + key.strip()] = ast.literal_eval(value.strip())
            except (ValueError, SyntaxError):
                pass
    return values


# The mesh of a frame

cache = OrderedDict()  # (path, time of change, bytes) → Surface
told = set()


def say(text):
    """Each message once, or scrubbing would repeat it."""
    if text not in told:
        told.add(text)
        print("octide: " + text, file=sys.stderr, flush=True)


def cached(path, read):
    """What `read` makes of a file, and a stamp that changes with the file."""
    try:
        status = os.stat(path)
    except OSError as e:
        raise Problem(f"{path} cannot be read: {e.strerror}") from e
    key = (path, status.st_mtime_ns, status.st_size)
    if key not in cache:
        cache[key] = read(path)
        while len(cache) > CACHE_FRAMES:
            cache.popitem(last=False)
    cache.move_to_end(key)
    return f"{os.path.basename(path)} {key[1]} {key[2]}", cache[key]


def fill(mesh, surface):
    mesh.clear_geometry()
    mesh.vertices.add(surface.n_vertices)
    mesh.loops.add(3 * surface.n_faces)
    mesh.polygons.add(surface.n_faces)
    if surface.n_faces:
        mesh.vertices.foreach_set("co", surface.positions)
        mesh.loops.foreach_set("vertex_index", surface.corners)
        mesh.polygons.foreach_set("loop_start", array("i", range(0, 3 * surface.n_faces, 3)))
        if not bpy.types.MeshPolygon.bl_rna.properties["loop_total"].is_readonly:
            mesh.polygons.foreach_set("loop_total", array("i", [3]) * surface.n_faces)
        mesh.polygons.foreach_set("use_smooth", [True] * surface.n_faces)
    mesh.update(calc_edges=True)
    # Cycles blurs a mesh by the point attribute of this name, in m/s, where the next frame has other vertices.
    velocity = mesh.attributes.get("velocity") or mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT")
    if surface.n_vertices:
        velocity.data.foreach_set("vector", surface.velocities)
    if hasattr(mesh, "use_auto_smooth"):  # before 4.1
        mesh.use_auto_smooth, mesh.auto_smooth_angle = True, SMOOTH_BELOW
    elif surface.n_faces:
        mesh.set_sharp_from_angle(angle=SMOOTH_BELOW)


def show(obj, frame):
    """Puts the surface of a frame into the object; where there is none, the one before it."""
    run = bpy.path.abspath(obj[RUN])
    files = surface_files(run)
    if not files:
        raise Problem(f"{os.path.join(run, 'surface')} holds no surface yet (0000.ply and so on)")
    wanted = min(max(frame - obj[START] + obj[FIRST], min(files)), max(files))
    trouble = f"surface/{wanted:04}.ply is missing"
    for number in sorted((n for n in files if n <= wanted), reverse=True):
        try:
            stamp, surface = cached(files[number], read_surface)
        except Problem as e:
            say(f"{e}")
            trouble = f"surface/{wanted:04}.ply cannot be used"
            continue
        if number != wanted:
            say(f"frame {frame}: {trouble}; showing {number:04}.ply")
        if obj.data.get(SHOWN) != stamp:
            fill(obj.data, surface)
            obj.data[SHOWN] = stamp
        return surface
    raise Problem(f"frame {frame}: {trouble} and there is none before it that can")


def fill_spray(mesh, spray):
    mesh.clear_geometry()
    mesh.vertices.add(spray.n)
    if spray.n:
        mesh.vertices.foreach_set("co", spray.positions)
    mesh.update()
    radius = mesh.attributes.get("radius") or mesh.attributes.new("radius", "FLOAT", "POINT")
    velocity = mesh.attributes.get("velocity") or mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT")
    if spray.n:
        radius.data.foreach_set("value", spray.radii)
        velocity.data.foreach_set("vector", spray.velocities)


def show_spray(obj, frame):
    """Puts the drops of a frame into the object; none where there is no file of particles for it."""
    run = bpy.path.abspath(obj[RUN])
    surfaces, files = surface_files(run), spray_files(run)
    if not surfaces:
        return NO_SPRAY
    wanted = min(max(frame - obj[START] + obj[FIRST], min(surfaces)), max(surfaces))
    stamp, spray = f"{wanted} none", NO_SPRAY
    if wanted in files:
        try:
            stamp, spray = cached(files[wanted], read_spray)
        except Problem as e:
            say(f"{e}")
    if obj.data.get(SHOWN) != stamp:
        fill_spray(obj.data, spray)
        obj.data[SHOWN] = stamp
    return spray


# Handlers

frame_rendered = None


def frame_of(scene):
    """The frame with Blender's time stretching applied; between two frames, the earlier one."""
    return math.floor(scene.frame_current_final + 1e-3)


@persistent
def octide_frame(scene, *_):
    # For motion blur Cycles visits times around the frame; the mesh must stay, as its velocities tell the motion.
    frame = frame_of(scene) if frame_rendered is None else frame_rendered
    for obj in scene.objects:
        if RUN in obj and obj.type == "MESH" and not obj.data.is_editmode:
            try:
                (show_spray if SPRAY in obj else show)(obj, frame)
            except Problem as e:
                say(str(e))


@persistent
def octide_render_begins(scene, *_):
    global frame_rendered
    frame_rendered = frame_of(scene)


@persistent
def octide_render_ends(*_):
    global frame_rendered
    frame_rendered = None


def install_handlers():
    """Registers the handlers once, in place of those of an earlier run of this script."""
    handlers = bpy.app.handlers
    for event, function in (
        (handlers.frame_change_pre, octide_frame),
        (handlers.render_pre, octide_render_begins),
        (handlers.render_post, octide_render_ends),
        (handlers.render_cancel, octide_render_ends),
    ):
        for old in [f for f in event if getattr(f, "__name__", "") == function.__name__]:
            event.remove(old)
        event.append(function)


def embed_script():
    """Keeps a copy of this script in the .blend file, which Blender runs when it opens the file."""
    if os.path.isfile(__file__):
        with open(__file__, encoding="utf-8") as file:
            source = file.read()
    else:  # run from the Text editor, where the path ends in the text's name
        source = bpy.data.texts[os.path.basename(__file__)].as_string()
    text = bpy.data.texts.get(COPY) or bpy.data.texts.new(COPY)
    text.from_string(source.replace("\nEMBEDDED = False", "\nEMBEDDED = True", 1))
    text.use_module = True


# What stands in the scene


def with_nodes(block):
    if not block.node_tree:
        block.use_nodes = True
    return block.node_tree.nodes


def set_input(node, value, *names):
    """Sets the input that is there: some are called otherwise in newer Blenders."""
    next(node.inputs[name] for name in names if name in node.inputs).default_value = value


def water_material():
    material = bpy.data.materials.get("octide water")
    if material:
        return material
    material = bpy.data.materials.new("octide water")
    bsdf = next(n for n in with_nodes(material) if n.bl_idname == "ShaderNodeBsdfPrincipled")
    set_input(bsdf, (0.8, 0.93, 1.0, 1.0), "Base Color")
    set_input(bsdf, 0.0, "Roughness")
    set_input(bsdf, 1.333, "IOR")
    set_input(bsdf, 1.0, "Transmission Weight", "Transmission")
    if hasattr(material, "use_raytrace_refraction"):
        material.use_raytrace_refraction = True
    elif hasattr(material, "use_screen_refraction"):
        material.use_screen_refraction = True
    return material


def balls_group():
    """Geometry nodes that put a ball with the radius `radius` at every point."""
    group = bpy.data.node_groups.get("octide drops")
    if group:
        return group
    group = bpy.data.node_groups.new("octide drops", "GeometryNodeTree")
    if hasattr(group, "interface"):  # from 4.0
        for way in ("INPUT", "OUTPUT"):
            group.interface.new_socket(name="Geometry", in_out=way, socket_type="NodeSocketGeometry")
    else:
        group.inputs.new("NodeSocketGeometry", "Geometry")
        group.outputs.new("NodeSocketGeometry", "Geometry")
    nodes, links = group.nodes, group.links
    points, out = nodes.new("NodeGroupInput"), nodes.new("NodeGroupOutput")
    ball, smooth = nodes.new("GeometryNodeMeshIcoSphere"), nodes.new("GeometryNodeSetShadeSmooth")
    ball.inputs["Radius"].default_value, ball.inputs["Subdivisions"].default_value = 1.0, 2
    radius = nodes.new("GeometryNodeInputNamedAttribute")
    radius.data_type = "FLOAT"
    radius.inputs["Name"].default_value = "radius"
    balls, real = nodes.new("GeometryNodeInstanceOnPoints"), nodes.new("GeometryNodeRealizeInstances")
    colored = nodes.new("GeometryNodeSetMaterial")
    colored.inputs["Material"].default_value = water_material()
    of_radius = next(socket for socket in radius.outputs if socket.enabled and socket.type == "VALUE")
    of_ball = next(socket for socket in ball.outputs if socket.type == "GEOMETRY")
    links.new(of_ball, smooth.inputs["Geometry"])
    links.new(points.outputs[0], balls.inputs["Points"])
    links.new(smooth.outputs[0], balls.inputs["Instance"])
    links.new(of_radius, balls.inputs["Scale"])
    # As a mesh they keep the attribute `velocity`, which Cycles blurs by.
    links.new(balls.outputs[0], real.inputs[0])
    links.new(real.outputs[0], colored.inputs["Geometry"])
    links.new(colored.outputs[0], out.inputs[0])
    return group


def add_spray(run, values, first, frame_start, surface_up):
    """Adds an object for the drops, if the run wrote any as particles."""
    if not spray_files(run) or values.get("output.spray", "particles") != "particles":
        return None
    obj = link("octide spray", bpy.data.meshes.new("octide spray"))
    obj[RUN], obj[FIRST], obj[START], obj[SPRAY] = run, first, frame_start, True
    obj.modifiers.new("octide: a ball for every drop", "NODES").node_group = balls_group()
    if surface_up == "y":
        obj.rotation_euler = (math.pi / 2, 0, 0)
    return obj


def upright(v):
    """From octide's y up to Blender's z up."""
    return Vector((v[0], -v[2], v[1]))


def link(name, data):
    obj = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def has_denoiser(scene):
    """Whether this Blender was built with one; else a render with denoising on, the default, ends in an error."""
    # Its choice is an enumeration that is filled at run time.
    try:
        scene.cycles.denoiser = "OPENIMAGEDENOISE"
    except TypeError:
        return False
    return True


def add_stage(values):
    """A checkered floor, a sun, a bright sky and the run's camera, for Cycles; Blender's startup objects go."""
    scene = bpy.context.scene
    startup = {"Camera", "Cube", "Light"}
    if not bpy.data.filepath and startup == {o.name for o in bpy.data.objects if RUN not in o}:
        for name in startup:
            bpy.data.objects.remove(bpy.data.objects[name])
    size = upright(values.get("domain.size", (1, 1, 1)))
    size.y = -size.y
    low = upright(values.get("domain.origin", (0, 0, 0)))
    low.y -= size.y
    middle, span = low + size / 2, size.length

    floor = bpy.data.meshes.new("octide floor")
    x, y, z, far = middle.x, middle.y, low.z - 0.002 * span, 30 * span
    square = [(x + sx * far, y + sy * far, z) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    floor.from_pydata(square, [], [(0, 1, 2, 3)])
    tiles = bpy.data.materials.new("octide floor")
    nodes = with_nodes(tiles)
    checker = nodes.new("ShaderNodeTexChecker")
    set_input(checker, 8 / span, "Scale")
    set_input(checker, (0.35, 0.31, 0.25, 1), "Color1")
    set_input(checker, (0.08, 0.09, 0.11, 1), "Color2")
    place = nodes.new("ShaderNodeNewGeometry")
    tiles.node_tree.links.new(place.outputs["Position"], checker.inputs["Vector"])
    bsdf = next(n for n in nodes if n.bl_idname == "ShaderNodeBsdfPrincipled")
    set_input(bsdf, 0.9, "Roughness")
    tiles.node_tree.links.new(checker.outputs["Color"], bsdf.inputs["Base Color"])
    floor.materials.append(tiles)
    link("octide floor", floor)

    sun = bpy.data.lights.new("octide sun", "SUN")
    sun.energy, sun.angle = 2.0, math.radians(20)  # a wide one: less noise under water
    link("octide sun", sun).rotation_euler = (math.radians(40), math.radians(-25), 0)
    world = bpy.data.worlds.new("octide sky")
    sky = next(n for n in with_nodes(world) if n.bl_idname == "ShaderNodeBackground")
    set_input(sky, (0.55, 0.72, 0.95, 1.0), "Color")
    set_input(sky, 0.5, "Strength")
    scene.world = world

    lens = bpy.data.cameras.new("octide camera")
    camera = link("octide camera", lens)
    target = upright(values["camera.target"]) if "camera.target" in values else middle
    eye = upright(values["camera.position"]) if "camera.position" in values else middle + Vector((0.2, -1.2, 0.6)) * span
    camera.location = eye
    camera.rotation_euler = (target - eye).to_track_quat("-Z", "Y").to_euler()
    lens.sensor_fit = "VERTICAL"
    lens.angle_y = math.radians(values.get("camera.fov", 40))
    lens.clip_start, lens.clip_end = 0.001 * span, 100 * span
    scene.camera = camera
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 64
    if not has_denoiser(scene):
        scene.cycles.use_denoising = False


def import_run(run, frame_start=1, fps=None, stage=False):
    """Adds the run to the scene, takes over its frame rate and range, and gives the object."""
    run = os.path.abspath(os.path.expanduser(run))
    if not os.path.isdir(run):
        raise Problem(f"{run} is not a folder; give the folder that octide run wrote")
    files = surface_files(run)
    if not files:
        raise Problem(f"{os.path.join(run, 'surface')} holds no surface (0000.ply and so on)")
    values = read_scene(run)
    first = min(values.get("output.first_frame", min(files)), min(files))
    surface = read_surface(files[min(files)])

    scene = bpy.context.scene
    fps = fps or values.get("time.fps")
    if fps:
        scene.render.fps = min(max(round(fps), 1), 32767)
        scene.render.fps_base = scene.render.fps / fps
    else:
        say(f"{os.path.join(run, 'scene.toml')} tells no frame rate; the scene keeps its own (or give --fps)")
    scene.frame_start, scene.frame_end = frame_start, frame_start + max(files) - first
    # Blender's window must not draw a mesh while it is exchanged for the next one.
    scene.render.use_lock_interface = True

    mesh = bpy.data.meshes.new("octide surface")
    mesh.materials.append(water_material())
    obj = link(values.get("name", "octide"), mesh)
    obj[RUN], obj[FIRST], obj[START] = run, first, frame_start
    # USD and Alembic exporters write every frame only of meshes with a modifier that depends on time, even a disabled one.
    marker = obj.modifiers.new("octide: export every frame", "WAVE")
    marker.show_viewport = marker.show_render = False
    if surface.up == "y":
        obj.rotation_euler = (math.pi / 2, 0, 0)
    spray = add_spray(run, values, first, frame_start, surface.up)
    if stage:
        add_stage(values)
    embed_script()
    install_handlers()
    scene.frame_set(frame_start)
    rate = scene.render.fps / scene.render.fps_base
    print(
        f"octide: {len(files)} surfaces, {min(files):04} to {max(files):04}, {surface.up} up, "
        f"at frames {scene.frame_start} to {scene.frame_end}, {rate:g}/s, as \"{obj.name}\""
        + (f" with spray as \"{spray.name}\"" if spray else ""),
        flush=True,
    )
    return obj


def volume_files(run):
    """The numbers of the volumes that are there, with their paths, in order."""
    folder = os.path.join(run, "volume")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    files = {int(name[:-4]): os.path.join(folder, name) for name in sorted(names) if re.fullmatch(r"\d{4,}\.vdb", name)}
    if not files:
        raise Problem(f"{folder} holds no volumes; run the scene with --set output.volume=true")
    return files


def bounds(points):
    return [(min(axis), max(axis)) for axis in zip(*points)]


def half_a_voxel(obj, volume, surface):
    """Blender 3.4 puts the mesh of a volume half a voxel too far along each axis. Whether this one does is seen by
    the surface of the same frame; gives the way back."""
    mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    if not mesh.vertices or not surface.n_vertices:
        return Vector()
    volume.grids.load()
    step = volume.grids[0].matrix_object[0][0]
    here = bounds(v.co for v in mesh.vertices)
    there = bounds(zip(*[iter(surface.positions)] * 3))
    off = sum(a[0] - b[0] + a[1] - b[1] for a, b in zip(here, there)) / 6
    return Vector((-step / 2,) * 3) if off > step / 4 else Vector()


def import_volume(run, frame_start=1, fps=None, stage=False):
    """Adds the run's volumes as a sequence and a mesh made of it by a modifier: nothing of this script stays."""
    run = os.path.abspath(os.path.expanduser(run))
    files, values = volume_files(run), read_scene(run)
    first = min(files)
    surface = read_surface(os.path.join(run, "surface", f"{first:04}.ply"))
    scene = bpy.context.scene
    fps = set_rate(scene, files, frame_start, fps or values.get("time.fps") or 24)
    if stage:
        add_stage(values)
    volume = volume_sequence(files, frame_start)
    source = link("octide volume", volume)
    obj = link(values.get("name", "octide"), bpy.data.meshes.new("octide volume mesh"))
    mesher = obj.modifiers.new("octide: the level set's surface", "VOLUME_TO_MESH")
    mesher.object, mesher.grid_name, mesher.resolution_mode = source, "surface", "GRID"
    mesher.threshold, mesher.adaptivity, mesher.use_smooth_shade = 0.0, 0.0, True
    obj.data.materials.append(water_material())
    scene.frame_set(frame_start)
    correction = half_a_voxel(obj, volume, surface)
    source.location = correction
    # The volume alone would be a fog.
    source.hide_render = True
    source.hide_set(True)
    if surface.up == "y":
        obj.rotation_euler = source.rotation_euler = (math.pi / 2, 0, 0)
        source.location = upright(correction)
    print(
        f"octide: {len(files)} volumes, {min(files):04} to {max(files):04}, {surface.up} up, "
        f"at frames {scene.frame_start} to {scene.frame_end}, {fps:g}/s, as \"{obj.name}\"",
        flush=True,
    )
    return obj


def smoke_material(values):
    """Smoke as in octide's own pictures: a density of 1 takes two thirds of the light in a fiftieth of the domain."""
    material = bpy.data.materials.new("octide smoke")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    smoke, out = nodes.new("ShaderNodeVolumePrincipled"), nodes.new("ShaderNodeOutputMaterial")
    smoke.inputs["Density Attribute"].default_value = "density"
    smoke.inputs["Density"].default_value = 50 / max(values.get("domain.size") or [1.0])
    smoke.inputs["Color"].default_value = (0.93, 0.93, 0.94, 1)
    smoke.inputs["Anisotropy"].default_value = 0.3
    links.new(smoke.outputs["Volume"], out.inputs["Volume"])
    return material


def import_smoke(run, frame_start=1, fps=None, stage=False):
    """Adds the volumes of a run of smoke as a sequence: nothing of this script stays."""
    run = os.path.abspath(os.path.expanduser(run))
    files, values = volume_files(run), read_scene(run)
    scene = bpy.context.scene
    fps = set_rate(scene, files, frame_start, fps or values.get("time.fps") or 24)
    if stage:
        add_stage(values)
    volume = volume_sequence(files, frame_start)
    volume.materials.append(smoke_material(values))
    obj = link(values.get("name", "octide"), volume)
    up = values.get("output.up") or "y"
    if up == "y":
        obj.rotation_euler = (math.pi / 2, 0, 0)
    scene.frame_set(frame_start)
    print(
        f"octide: {len(files)} volumes of smoke, {min(files):04} to {max(files):04}, {up} up, "
        f"at frames {scene.frame_start} to {scene.frame_end}, {fps:g}/s, as \"{obj.name}\"",
        flush=True,
    )
    return obj


def set_rate(scene, files, frame_start, fps):
    """Sets frame rate and range for files that are there; gives the rate."""
    scene.render.fps = min(max(round(fps), 1), 32767)
    scene.render.fps_base = scene.render.fps / fps
    scene.frame_start, scene.frame_end = frame_start, frame_start + max(files) - min(files)
    return fps


def volume_sequence(files, frame_start):
    """The files as one volume that changes with the frame."""
    first = min(files)
    volume = bpy.data.volumes.new("octide volume")
    volume.filepath, volume.is_sequence = files[first], True
    volume.frame_start, volume.frame_duration = frame_start, max(files) - first + 1
    volume.frame_offset, volume.sequence_mode = first - 1, "EXTEND"
    return volume


def is_smoke(run):
    """Whether a run has volumes and no surfaces."""
    run = os.path.abspath(os.path.expanduser(run))
    return os.path.isdir(os.path.join(run, "volume")) and not os.path.isdir(os.path.join(run, "surface"))


def arguments():
    """What stands after `--`; where Blender is a Python module, all after the script; in the Text editor, RUN_DIR."""
    given = []
    if os.path.isfile(__file__):
        if "--" in sys.argv:
            given = sys.argv[sys.argv.index("--") + 1 :]
        elif getattr(bpy.app, "module", False):
            given = sys.argv[1:]
    parser = argparse.ArgumentParser(prog=f"blender --python {SCRIPT} --", description="Opens an octide run in Blender.")
    parser.add_argument("run_dir", help="folder that octide run wrote")
    parser.add_argument("--frame-start", type=int, default=FRAME_START, help="frame that shows the first surface (%(default)s)")
    parser.add_argument("--fps", type=float, help="frames a second (from scene.toml)")
    parser.add_argument("--stage", action="store_true", default=STAGE, help="add a floor, a sun and the scene's camera; Cycles")
    parser.add_argument("--volume", action="store_true", help="open volume/NNNN.vdb instead of the surfaces")
    parser.add_argument("--save", metavar="FILE.blend", help="save the result")
    if not given and RUN_DIR:
        given = [RUN_DIR]
    elif not given and not bpy.app.background:
        raise Problem("set RUN_DIR at the top of this script, or start Blender with -- RUN_DIR at the end")
    options = parser.parse_args(given)
    if options.fps is not None and not options.fps > 0:
        raise Problem("--fps must be greater than 0")
    return options


def main():
    try:
        options = arguments()
        load = import_smoke if is_smoke(options.run_dir) else import_volume if options.volume else import_run
        load(options.run_dir, options.frame_start, options.fps, options.stage)
        if options.save:
            bpy.ops.wm.save_as_mainfile(filepath=os.path.abspath(options.save))
    except Problem as e:
        if not bpy.app.background:
            raise  # Blender's window shows it; sys.exit would close Blender
        print(f"octide: {e}", file=sys.stderr, flush=True)
        sys.exit(2)


if EMBEDDED or __name__ != "__main__":
    install_handlers()
else:
    main()
