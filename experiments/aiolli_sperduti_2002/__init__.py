"""Aiolli & Sperduti, "An Efficient SMO-like Algorithm for Multiclass SVM", Neural Networks for
Signal Processing (2002); its experiments are section 5.4 of their paper of 2005 (AS05) as well.
"""  # noqa: D205

from experiments.aiolli_sperduti_2002 import fig3, fig4, fig5, fig6, opt_kkt

PAPER = "aiolli_sperduti_2002"
TITLE = "An Efficient SMO-like Algorithm for Multiclass SVM"
REFERENCE = (
    "F. Aiolli and A. Sperduti, Neural Networks for Signal Processing XII, 2002, pp. 297-306"
)
ITEMS = {"fig3": fig3, "fig4": fig4, "fig5": fig5, "fig6": fig6, "opt_kkt": opt_kkt}
