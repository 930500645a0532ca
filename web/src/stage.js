// Draws particles, liquids as one surface, meshes and obstacles.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const particleVertex = `
  uniform vec3 low, extent;
  uniform float radius, height, liquids, solids, swell;
  uniform vec4 clip;
  attribute vec3 place, tint;
  attribute float kind, size;
  varying vec3 centre, colour;
  varying float r;
  void main() {
    vec3 x = low + extent * place;
    bool liquid = mod(kind + 0.5, 4.0) < 1.0;
    bool shown = (liquid ? liquids : solids) > 0.5 && dot(clip.xyz, x) <= clip.w;
    r = radius * size * swell;
    centre = (viewMatrix * vec4(x, 1.0)).xyz;
    colour = kind > 3.5 ? mix(tint, vec3(1.0), 0.35) : tint;
    gl_Position = shown ? projectionMatrix * vec4(centre, 1.0) : vec4(0.0, 0.0, 2.0, 1.0);
    // An impostor is a little larger than the ball's outline, since perspective widens it.
    gl_PointSize = 1.08 * height * projectionMatrix[1][1] * r / (projectionMatrix[2][3] == 0.0 ? 1.0 : max(1e-6, -centre.z));
  }`;

// The ball behind a point: its normal, its colour and the depth it really has.
const ball = `
  uniform mat4 projectionMatrix;
  varying vec3 centre, colour;
  varying float r;
  vec3 normal, hit;
  bool meet() {
    vec2 p = 1.08 * (2.0 * gl_PointCoord - 1.0);
    float d = dot(p, p);
    if (d > 1.0) return false;
    normal = vec3(p.x, -p.y, sqrt(1.0 - d));
    hit = centre + r * normal;
    vec4 clip = projectionMatrix * vec4(hit, 1.0);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
    return true;
  }`;
const light = `
  vec3 lit(vec3 colour, vec3 n) {
    float d = max(0.0, dot(n, normalize(vec3(0.4, 0.8, 0.6))));
    return colour * (0.38 + 0.62 * d) + vec3(0.12) * pow(d, 24.0);
  }`;

const spheres = `${ball} ${light}
  void main() {
    if (!meet()) discard;
    gl_FragColor = vec4(lit(colour, normal), 1.0);
  }`;
// Colour and distance from the camera of the nearest liquid.
const liquidDepth = `${ball}
  void main() {
    if (!meet()) discard;
    gl_FragColor = vec4(colour, -hit.z);
  }`;

const screen = `
  varying vec2 uv_;
  void main() {
    uv_ = uv;
    gl_Position = vec4(position.xy, 0.0, 1.0);
  }`;
// Narrow-range filter (Truong and Yuksel 2018): what is nearer by more than the range is another surface and does not count; what is farther counts as
// if it were that far, so that edges do not curl.
const blur = `
  uniform sampler2D depth;
  uniform vec2 along;
  uniform float range, scale;
  varying vec2 uv_;
  void main() {
    vec4 here = texture2D(depth, uv_);
    if (here.a <= 0.0) { gl_FragColor = vec4(0.0); return; }
    float reach = clamp(scale / here.a, 1.0, 40.0);
    vec4 sum = here;
    float total = 1.0;
    for (int k = -12; k <= 12; ++k) {
      if (k == 0) continue;
      float t = float(k) / 12.0;
      vec4 there = texture2D(depth, uv_ + along * t * reach);
      float nearer = here.a - there.a;
      float w = there.a <= 0.0 ? 0.0 : exp(-2.0 * t * t) * (1.0 - smoothstep(0.5 * range, range, nearer));
      sum += w * vec4(there.rgb, min(there.a, here.a + range));
      total += w;
    }
    gl_FragColor = sum / total;
  }`;
const surface = `${light}
  uniform sampler2D depth;
  uniform vec2 pixel, view;
  uniform float back;
  uniform mat4 projection;
  varying vec2 uv_;
  vec3 at(vec2 uv) {
    float z = texture2D(depth, uv).a;
    return vec3((2.0 * uv - 1.0) * view * (projection[2][3] == 0.0 ? 1.0 : z), -z);
  }
  void main() {
    vec4 here = texture2D(depth, uv_);
    if (here.a <= 0.0) discard;
    vec3 x = at(uv_);
    vec3 right = at(uv_ + vec2(pixel.x, 0.0)) - x, left = x - at(uv_ - vec2(pixel.x, 0.0));
    vec3 up = at(uv_ + vec2(0.0, pixel.y)) - x, down = x - at(uv_ - vec2(0.0, pixel.y));
    vec3 n = normalize(cross(abs(right.z) < abs(left.z) ? right : left, abs(up.z) < abs(down.z) ? up : down));
    vec4 clip = projection * vec4(x - back * n, 1.0);
    gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
    float rim = pow(1.0 - max(0.0, n.z), 3.0);
    gl_FragColor = vec4(lit(here.rgb, n) + 0.25 * rim, 1.0);
  }`;

// Balls of liquid overlap when they are drawn for the surface: gaps between them would be holes.
const swell = 1.6;

// Colours are what they are on the screen; nothing is converted.
THREE.ColorManagement.enabled = false;

export class Stage {
  constructor(canvas) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.camera = new THREE.PerspectiveCamera(40, 1, 0.01, 100);
    this.scene = new THREE.Scene();
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => (this.dirty = true));
    this.scenery = new THREE.Group();
    this.scene.add(this.scenery, new THREE.HemisphereLight(0xffffff, 0x888888, 2.2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.5);
    sun.position.set(1, 2, 1.5);
    this.scene.add(sun);
    this.smooth = false;
    this.clip = new THREE.Vector4(0, 0, 0, 1);
    this.planes = []; // the same, for meshes and obstacles
    this.renderer.localClippingEnabled = true;
    this.dirty = true;
    this.makeParticles();
    this.makeSurface();
  }

  makeParticles() {
    this.uniforms = {
      low: { value: new THREE.Vector3() }, extent: { value: new THREE.Vector3(1, 1, 1) }, radius: { value: 1 }, height: { value: 1 },
      liquids: { value: 1 }, solids: { value: 1 }, swell: { value: 1 }, clip: { value: this.clip },
    };
    this.geometry = new THREE.BufferGeometry();
    const material = (fragmentShader) =>
      new THREE.ShaderMaterial({ uniforms: this.uniforms, vertexShader: particleVertex, fragmentShader, blending: THREE.NoBlending });
    this.points = new THREE.Points(this.geometry, material(spheres));
    this.points.frustumCulled = false;
    this.scene.add(this.points);
    this.liquidScene = new THREE.Scene();
    this.liquidPoints = new THREE.Points(this.geometry, material(liquidDepth));
    this.liquidPoints.frustumCulled = false;
    this.liquidScene.add(this.liquidPoints);
  }

  makeSurface() {
    this.canSmooth = this.renderer.extensions.has("EXT_color_buffer_float");
    const target = () => new THREE.WebGLRenderTarget(1, 1, { type: THREE.FloatType, minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter });
    this.targets = [target(), target()];
    this.quad = new THREE.Mesh(new THREE.PlaneGeometry(2, 2));
    this.quad.frustumCulled = false;
    this.quadScene = new THREE.Scene();
    this.quadScene.add(this.quad);
    const pass = (uniforms, fragmentShader, depth) =>
      new THREE.ShaderMaterial({ uniforms, vertexShader: screen, fragmentShader, depthTest: depth, depthWrite: depth, blending: THREE.NoBlending });
    this.blur = pass({ depth: { value: null }, along: { value: new THREE.Vector2() }, range: { value: 1 }, scale: { value: 1 } }, blur, false);
    this.surface = pass(
      { depth: { value: null }, pixel: { value: new THREE.Vector2() }, view: { value: new THREE.Vector2() }, projection: { value: null }, back: { value: 0 } }, surface, true);
  }

  /** What the program says about the scene before the first frame. */
  describe(stage) {
    this.flat = stage.dimensions === 2;
    const known = this.box;
    this.box = new THREE.Box3(new THREE.Vector3(...stage.min), new THREE.Vector3(...stage.max));
    this.scenery.clear();
    for (const obstacle of stage.obstacles) this.scenery.add(this.obstacle(obstacle));
    // A page that connects again to the same scene keeps its view.
    if (!known?.equals(this.box)) this.home();
    this.dirty = true;
  }

  obstacle({ name, inside, plane, vertices, triangles, flat }) {
    const size = this.box.getSize(new THREE.Vector3()).length(), clippingPlanes = this.planes;
    const group = new THREE.Group();
    group.name = name;
    if (plane) {
      const grid = new THREE.GridHelper(2 * size, 20, 0x888888, 0x888888);
      grid.material.transparent = true;
      grid.material.opacity = 0.35;
      grid.material.clippingPlanes = clippingPlanes;
      const normal = new THREE.Vector3(...plane.normal).multiplyScalar(inside ? -1 : 1);
      grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), normal);
      const centre = this.box.getCenter(new THREE.Vector3()), point = new THREE.Vector3(...plane.point);
      grid.position.copy(centre).addScaledVector(normal, normal.dot(point.sub(centre)));
      group.add(grid);
      return group;
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(vertices, 3));
    geometry.setIndex(triangles);
    if (flat || inside) group.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 30), new THREE.LineBasicMaterial({ color: 0x888888, clippingPlanes })));
    if (inside) return group;
    geometry.computeVertexNormals();
    group.add(new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color: 0x9a9a9a, side: THREE.DoubleSide, flatShading: flat, clippingPlanes })));
    return group;
  }

  poses(list) {
    list.forEach((m, k) => {
      const group = this.scenery.children[k];
      if (!group) return;
      group.matrixAutoUpdate = false;
      group.matrix.set(m[0], m[3], m[6], m[9], m[1], m[4], m[7], m[10], m[2], m[5], m[8], m[11], 0, 0, 0, 1);
    });
  }

  home() {
    const centre = this.box.getCenter(new THREE.Vector3()), size = this.box.getSize(new THREE.Vector3()).length() || 1;
    const away = this.flat ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(0.55, 0.4, 1).normalize();
    const tall = Math.max(1, 1.1 / Math.max(0.3, this.camera.aspect));
    this.camera.near = 0.002 * size;
    this.camera.far = 50 * size;
    this.camera.position.copy(centre).addScaledVector(away, 1.45 * size * tall);
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.enableRotate = !this.flat;
    this.controls.update();
    this.dirty = true;
  }

  /** A decoded frame. */
  show(frame) {
    const attribute = (name, array, size, normalized) => {
      const old = this.geometry.getAttribute(name);
      if (old && old.array.length === array.length) {
        old.array = array;
        old.needsUpdate = true;
      } else {
        if (old) this.geometry.dispose();
        this.geometry.setAttribute(name, new THREE.BufferAttribute(array, size, normalized).setUsage(THREE.DynamicDrawUsage));
      }
    };
    attribute("place", frame.places, 3, true);
    attribute("tint", frame.colours, 3, true);
    attribute("kind", frame.kinds, 1, false);
    attribute("size", frame.sizes, 1, true);
    // Points are drawn from `position`, whose length is the number of points.
    this.geometry.setDrawRange(0, frame.count);
    const u = this.uniforms;
    u.low.value.fromArray(frame.low);
    u.extent.value.fromArray(frame.high).sub(u.low.value);
    u.radius.value = frame.radius;
    this.dirty = true;
  }

  /** Surfaces and skins of a saved frame, outlines in 2D; null: none. */
  mesh(mesh) {
    if (this.skin) {
      this.scene.remove(this.skin);
      this.skin.geometry.dispose();
      this.skin.material.dispose();
    }
    this.skin = null;
    this.dirty = true;
    const lines = mesh?.triangles.length === 0;
    if (!mesh || (lines && mesh.edges.length === 0)) return;
    const geometry = new THREE.BufferGeometry(), look = mesh.valued ? { vertexColors: true } : { color: 0x56b4e9 };
    geometry.setAttribute("position", new THREE.BufferAttribute(mesh.positions, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(mesh.normals, 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(mesh.colours, 3, true));
    geometry.setIndex(new THREE.BufferAttribute(lines ? mesh.edges : mesh.triangles, 1));
    look.clippingPlanes = this.planes;
    this.skin = lines
      ? new THREE.LineSegments(geometry, new THREE.LineBasicMaterial(look))
      : new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ ...look, roughness: 0.45, side: THREE.DoubleSide }));
    this.scene.add(this.skin);
  }

  /** Hides what is beyond a plane across an axis (0 to 2); -1: nothing. */
  clipAt(axis, place) {
    this.clip.set(Number(axis === 0), Number(axis === 1), Number(axis === 2), axis < 0 ? 1 : place);
    this.planes.splice(0, 1, ...(axis < 0 ? [] : [new THREE.Plane(new THREE.Vector3(-this.clip.x, -this.clip.y, -this.clip.z), place)]));
    this.dirty = true;
  }

  resize(width, height, ratio) {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.pixels = [Math.max(1, Math.floor(width * ratio)), Math.max(1, Math.floor(height * ratio))];
    for (const target of this.targets) target.setSize(...this.pixels);
    this.dirty = true;
  }

  background(colour) {
    this.renderer.setClearColor(colour);
    this.dirty = true;
  }

  /** Draws if something has changed. */
  render() {
    if (!this.dirty) return false;
    this.dirty = false;
    const u = this.uniforms, smooth = this.smooth && this.canSmooth;
    u.height.value = this.pixels[1];
    u.solids.value = this.skin ? 0 : 1;
    u.liquids.value = smooth || this.skin ? 0 : 1;
    this.renderer.render(this.scene, this.camera);
    if (smooth && !this.skin) this.renderSurface();
    return true;
  }

  renderSurface() {
    const { renderer, uniforms: u, targets, camera } = this, [w, h] = this.pixels;
    u.solids.value = 0;
    u.liquids.value = 1;
    u.swell.value = swell;
    const background = renderer.getClearColor(new THREE.Color()), alpha = renderer.getClearAlpha();
    renderer.setClearColor(0, 0);
    renderer.setRenderTarget(targets[0]);
    renderer.clear();
    renderer.render(this.liquidScene, camera);
    this.quad.material = this.blur;
    const b = this.blur.uniforms;
    b.range.value = 2.5 * u.radius.value;
    b.scale.value = 3 * u.radius.value * h * camera.projectionMatrix.elements[5] * 0.5;
    for (const [from, to, x, y] of [[0, 1, 1 / w, 0], [1, 0, 0, 1 / h], [0, 1, 1 / w, 0], [1, 0, 0, 1 / h], [0, 1, 1 / w, 0], [1, 0, 0, 1 / h]]) {
      b.depth.value = targets[from].texture;
      b.along.value.set(x, y);
      renderer.setRenderTarget(targets[to]);
      renderer.render(this.quadScene, camera);
    }
    u.swell.value = 1;
    renderer.setRenderTarget(null);
    renderer.setClearColor(background, alpha);
    const s = this.surface.uniforms, p = camera.projectionMatrix.elements;
    s.depth.value = targets[0].texture;
    s.pixel.value.set(1 / w, 1 / h);
    s.view.value.set(1 / p[0], 1 / p[5]);
    s.projection.value = camera.projectionMatrix;
    s.back.value = (swell - 1) * u.radius.value;
    this.quad.material = this.surface;
    renderer.autoClear = false;
    renderer.render(this.quadScene, camera);
    renderer.autoClear = true;
  }

  /** From the camera through a point of the picture, −1 to 1 each way. */
  ray(x, y) {
    this.camera.updateMatrixWorld();
    const origin = this.camera.getWorldPosition(new THREE.Vector3());
    const direction = new THREE.Vector3(x, y, 0.5).unproject(this.camera).sub(origin).normalize();
    return { origin: origin.toArray(), direction: direction.toArray() };
  }

  /** Where a ray meets the plane through a point that faces the camera. */
  onPlane(ray, through) {
    const normal = this.camera.getWorldDirection(new THREE.Vector3());
    const origin = new THREE.Vector3(...ray.origin), direction = new THREE.Vector3(...ray.direction);
    const t = normal.dot(new THREE.Vector3(...through).sub(origin)) / normal.dot(direction);
    return origin.addScaledVector(direction, t).toArray();
  }
}
