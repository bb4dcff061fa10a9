"""How Sphinx makes the book. Nothing here asks another host for anything."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

project = "minitorch_lab"
author = "The minitorch_lab authors"
project_copyright = "MIT licence"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "book.making.docstrings",
    "book.making.mathml",
    "book.making.names",
    "book.making.sources",
]
exclude_patterns = ["_static", "_front.md"]
templates_path = ["_templates"]
nitpicky = False

html_theme = "sphinx_book_theme"
html_title = "minitorch_lab"
html_static_path = ["_static"]  # and what book.making.site has put beside its pages
html_context = {"default_mode": "auto"}
html_css_files = ["book.css"]
html_js_files = [("minitorch-view.js", {"defer": "defer"}), ("book.js", {"defer": "defer"})]
html_favicon = "_static/favicon.svg"
html_copy_source = False
html_show_sourcelink = False
html_math_renderer = "mathml"
html_theme_options = {
    "use_download_button": False,
    "use_fullscreen_button": False,
    "use_source_button": False,
    "show_toc_level": 2,
    "show_navbar_depth": 1,
    "navigation_with_keys": False,  # ← and → belong to the views
    "navbar_start": [],
    "navbar_center": [],
    "navbar_end": [],
    "navbar_persistent": [],
    "pygments_light_style": "github-light-high-contrast",
    "pygments_dark_style": "github-dark-high-contrast",
}

nb_execution_mode = "off"  # book.making.run has run the lessons
nb_merge_streams = True
nb_code_prompt_show = "Show the {type}"  # what a prediction is about
nb_code_prompt_hide = "Hide the {type}"
myst_enable_extensions = ["dollarmath", "deflist", "colon_fence", "attrs_inline"]
myst_heading_anchors = 3

default_role = "literal"
suppress_warnings = ["ref.python"]  # two classes are called Graph: of the compiler, which is meant, and of `ml.static`
autodoc_preserve_defaults = True
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_rtype = False
add_module_names = False
