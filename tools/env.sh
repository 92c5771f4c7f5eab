# Sets the environment to build and run openral: `source tools/env.sh`, from any folder, in bash.
#
# Where ROS 2 is sourced already it only adds what `colcon build` made here. Where not, the
# virtual environment that tools/setup made stands in for ROS. Sourcing it again changes nothing.

_openral_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
_openral_venv="$_openral_root/.venv"

# Puts $2 first in the path variable $1, once.
_openral_first() {
  local rest=":${!1:-}:"
  rest="${rest//:$2:/:}"
  rest="${rest#:}"
  rest="${rest%:}"
  export "$1=$2${rest:+:$rest}"
}

# Puts $2 first in the path variable $1, unless it is in it: what was built here stays ahead.
_openral_add() {
  case ":${!1:-}:" in
    *":$2:"*) ;;
    *) _openral_first "$1" "$2" ;;
  esac
}

# Takes every folder below $2 out of the path variable $1.
_openral_without() {
  local kept="" part
  local -a parts
  IFS=: read -r -a parts <<<"${!1:-}"
  for part in "${parts[@]}"; do
    case "$part" in
      "" | "$2" | "$2"/*) ;;
      *) kept="$kept${kept:+:}$part" ;;
    esac
  done
  if [ -n "$kept" ]; then export "$1=$kept"; else unset "$1"; fi
}

_openral_bare_ros() {
  local variable libs
  if [ ! -f "$_openral_venv/openral-setup.json" ]; then
    echo "openral: no ROS 2 is sourced and $_openral_venv is not finished: run $_openral_root/tools/setup" >&2
    return 1
  fi
  # Another checkout's environment may be sourced: its build must not be found here.
  if [ -n "${OPENRAL_BARE_ROS:-}" ] && [ "$OPENRAL_BARE_ROS" != "$_openral_venv" ]; then
    for variable in PATH PYTHONPATH LD_LIBRARY_PATH AMENT_PREFIX_PATH CMAKE_PREFIX_PATH \
      COLCON_PREFIX_PATH; do
      _openral_without "$variable" "$(dirname "$OPENRAL_BARE_ROS")"
    done
  fi
  export OPENRAL_BARE_ROS="$_openral_venv"
  export VIRTUAL_ENV="$_openral_venv" # CMake's FindPython looks here first
  export ROS_DISTRO=jazzy ROS_VERSION=2 ROS_PYTHON_VERSION=3
  export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"
  # The wheels start Python a second time to set the library path; it is set here.
  export _ROS_WHEELS_BOOTSTRAP_COMPLETE=1
  for libs in "$_openral_venv"/lib/python3.*/site-packages/ros_*.libs; do
    _openral_add LD_LIBRARY_PATH "$libs"
  done
  _openral_add LD_LIBRARY_PATH "$_openral_venv/lib"
  _openral_add AMENT_PREFIX_PATH "$_openral_venv"
  _openral_add CMAKE_PREFIX_PATH "$_openral_venv"
  _openral_first PATH "$_openral_venv/bin"
}

_openral_built() {
  # colcon's script reads variables that may not be set, and takes the folder that
  # it is in from this one if install/setup.bash is sourcing us.
  local nounset=0
  unset COLCON_CURRENT_PREFIX
  case "$-" in *u*) nounset=1 ;; esac
  set +u
  # shellcheck disable=SC1091
  . "$_openral_root/install/local_setup.bash"
  [ "$nounset" = 0 ] || set -u
}

_openral_environment() {
  if [ -n "${OPENRAL_BARE_ROS:-}" ] || [ -z "${ROS_DISTRO:-}" ] || [ -z "${AMENT_PREFIX_PATH:-}" ]; then
    _openral_bare_ros || return 1
  fi
  if [ -f "$_openral_root/install/local_setup.bash" ]; then
    _openral_built
  fi
  if [ -n "${OPENRAL_BARE_ROS:-}" ]; then
    _openral_first PYTHONPATH "$_openral_root"
  fi
}

_openral_environment
_openral_status=$?
unset -f _openral_first _openral_add _openral_without _openral_bare_ros _openral_built _openral_environment
unset _openral_root _openral_venv
# `return` with the status, and no variable left behind.
eval "unset _openral_status; return $_openral_status"
